/** What the simulated registries have: data only. The rules that read it: registry.ts. */

/** The registry of the recorded cluster has exactly these. `preloaded`: on every node before anything is done. */
export const recordedImages: Readonly<Record<string, { preloaded: readonly string[]; other: readonly string[]; sizeBytes: number }>> = {
  'docker.io/library/busybox': { preloaded: ['1.28', '1.36', '1.37', 'latest'], other: [], sizeBytes: 2_222_260 },
  'docker.io/library/nginx': { preloaded: ['1.24', '1.25', '1.26', 'latest'], other: ['1.16.0', 'slow20'], sizeBytes: 71_005_258 },
  'registry.k8s.io/pause': { preloaded: ['3.10'], other: [], sizeBytes: 320_368 },
};

/** A tag whose registry takes this long to answer, in milliseconds. */
export const slowTags: Readonly<Record<string, number>> = { 'docker.io/library/nginx:slow20': 20_000 };

export interface KnownRepository {
  sizeBytes: number;
  /** Newest version that exists: a tag with a larger one does not. */
  newest: readonly number[];
  /** Words that are tags, or that may follow a version after '-'. */
  words: readonly string[];
  /** uid in the image's configuration. */
  user?: number;
}

const debian = 'bookworm bullseye buster trixie slim stretch';
const ubuntu = 'jammy noble focal bionic';

/**
 * Repositories that are known well: repository | compressed size in MB | newest version | further words | uid.
 * Sizes: compressed amd64 images of about 2025, rounded. Docker Hub's own images stand under library/.
 */
const rows = `
library/nginx|72|1.31|mainline stable perl otel ${debian}
library/busybox|2.2|1.38|stable musl glibc uclibc unstable
library/alpine|3.6|3.23|edge
library/redis|49|8.6|${debian}
library/valkey|45|9.1|${debian}
library/postgres|155|18.9|${debian}
library/mysql|240|9.6|lts innovation oracle oraclelinux9
library/mariadb|120|12.4|lts ubi noble jammy
library/mongo|285|8.4|${ubuntu}
library/httpd|58|2.4|${debian}
library/memcached|32|1.6|${debian}
library/rabbitmq|95|4.3|management
library/node|390|26.9|lts current ${debian} hydrogen iron jod
library/python|370|3.15|slim ${debian} rc
library/golang|300|1.27|${debian}
library/openjdk|320|27|jdk jre ea slim oracle oraclelinux8 ${debian}
library/eclipse-temurin|200|26|jdk jre ubi9 ${ubuntu}
library/tomcat|210|12.0|jdk8 jdk11 jdk17 jdk21 jdk25 jre8 jre11 jre17 jre21 temurin corretto openjdk ${ubuntu}
library/ubuntu|30|26.10|rolling devel oracular plucky questing ${ubuntu} xenial trusty
library/debian|49|13.9|stable testing sid unstable oldstable backports ${debian}
library/centos|75|8|centos6 centos7 centos8
library/rockylinux|65|9.9|minimal
library/fedora|65|45|rawhide
library/amazonlinux|55|2023|
library/php|170|8.5|fpm cli apache zts ${debian}
library/ruby|350|4.0|${debian}
library/perl|330|5.42|threaded ${debian}
library/rust|540|1.99|${debian}
library/haproxy|43|3.4|lts dev ${debian}
library/traefik|48|3.9|
library/caddy|20|2.12|builder
library/consul|50|1.21|
library/vault|80|1.13|
library/zookeeper|130|3.9|
library/cassandra|150|5.0|${ubuntu}
library/elasticsearch|650|9.4|
library/kibana|500|9.4|
library/logstash|430|9.4|
library/influxdb|90|3.9|meta data core
library/wordpress|240|6.9|apache fpm cli php8.1 php8.2 php8.3 php8.4 php8.5
library/ghost|190|6.9|${debian}
library/nextcloud|430|33.0|apache fpm stable production
library/drupal|190|11.9|apache fpm php8.3 php8.4
library/joomla|170|6.0|apache fpm php8.3
library/adminer|45|5.4|standalone fastcgi
library/registry|10|3.1|
library/docker|130|29.9|dind cli git rootless
library/bash|5.5|5.3|devel
library/hello-world|0.01|0|linux
library/gradle|350|9.9|jdk8 jdk11 jdk17 jdk21 jdk25 ${ubuntu}
library/maven|280|3.9|eclipse temurin 8 11 17 21 25 amazoncorretto
library/sonarqube|430|26.9|community developer enterprise lts
library/nats|9|2.14|scratch
library/telegraf|150|1.39|
library/solr|300|10.0|slim
library/neo4j|300|2026.12|community enterprise
library/couchdb|120|3.5|
library/rethinkdb|50|2.4|
library/percona|200|8.4|
library/swipl|120|10|
library/kong|95|3.9|ubuntu
library/jetty|190|12.1|jdk11 jdk17 jdk21
library/eclipse-mosquitto|6|2.1|openssl
library/phpmyadmin|180|5.2|apache fpm
library/rocket.chat|400|8|
library/redmine|210|6.1|passenger
library/odoo|600|19.0|
library/mongo-express|70|1.2|20 18
library/buildpack-deps|320|26|curl scm ${debian} ${ubuntu}
library/gcc|480|16|${debian}
library/julia|170|1.13|
library/erlang|320|29|slim
library/elixir|330|1.20|otp slim
library/swift|900|6.4|slim ${ubuntu}
library/haskell|600|9.14|slim
library/clojure|330|1.12|temurin lein tools-deps
library/groovy|230|5.0|jdk21
library/r-base|330|4.6|
library/flink|330|2.2|scala_2.12 java11 java17
library/spark|500|4.2|scala python3 java17
library/storm|250|2.8|
library/arangodb|220|3.12|
library/crate|280|6.2|
library/orientdb|210|3.2|
library/varnish|90|8.0|stable fresh old
library/unit|170|1.34|minimal
library/sapmachine|250|26|
library/ibmjava|140|8|
library/photon|17|5.0|
library/oraclelinux|90|10|slim
library/opensuse|40|15|
library/archlinux|150|0|base base-devel multilib-devel
library/clearlinux|70|0|base
library/mageia|90|9|
library/almalinux|70|10.2|minimal
bitnami/redis|90|8.6|debian r1001
bitnami/postgresql|130|18.9|debian
bitnami/mysql|190|9.6|debian
bitnami/kubectl|120|1.37|debian
curlimages/curl|9|8.20||100
nginxinc/nginx-unprivileged|72|1.31|mainline stable perl ${debian}|101
hashicorp/http-echo|4|1.0||65532
jmalloc/echo-server|4|0.3|
mccutchen/go-httpbin|8|2.22|
kennethreitz/httpbin|180|0|
traefik/whoami|3|1.11|
containous/whoami|3|1.5|
prom/prometheus|115|3.12|distroless|65534
prom/node-exporter|12|1.11||65534
grafana/grafana|190|13.9|ubuntu|472
fluent/fluentd|90|1.19|debian edge
fluent/fluent-bit|45|5.0|debug
polinux/stress|4|1.0|
progrium/stress|100|0|
vish/stress|1|0|
nicolaka/netshoot|190|0.16|
datawire/hello-world|30|0|
gcr.io/google-samples/hello-app|10|2.0|
registry.k8s.io/pause|0.3|3.11||65535
registry.k8s.io/e2e-test-images/agnhost|50|2.60|
registry.k8s.io/e2e-test-images/busybox|2|1.37|
registry.k8s.io/e2e-test-images/nginx|50|1.15|
registry.k8s.io/echoserver|45|1.10|
registry.k8s.io/nginx-slim|50|0.30|
registry.k8s.io/busybox|1|1.27|
registry.k8s.io/hpa-example|180|0|
registry.k8s.io/goproxy|2|0.1|
registry.k8s.io/liveness|2|0|
registry.k8s.io/serve_hostname|2|1.4|
quay.io/prometheus/prometheus|115|3.12||65534
mcr.microsoft.com/dotnet/aspnet|90|11.0|${ubuntu} ${debian} chiseled
`;

/** May follow any version. */
const commonWords = ['latest', 'alpine', 'slim', 'debian', 'ubuntu', 'rc', 'beta', 'ls', 'r'];

function readRow(line: string): [repository: string, known: KnownRepository] {
  const [name = '', megabytes = '', newest = '', words = '', user] = line.split('|');
  const repository = /^[^/]+\.[^/]+\//.test(name) ? name : `docker.io/${name}`;
  return [repository, {
    sizeBytes: Math.round(Number(megabytes) * 1_000_000),
    newest: newest.split('.').map(Number),
    words: [...commonWords, ...words.split(' ')],
    ...(user === undefined ? {} : { user: Number(user) }),
  }];
}

export const knownRepositories: ReadonlyMap<string, KnownRepository> = new Map(rows.trim().split('\n').map(readRow));

/** Short names of Docker Hub's own images: what a typing error comes near to. */
export const officialNames: readonly string[] = [...knownRepositories.keys()]
  .filter((name) => name.startsWith('docker.io/library/'))
  .map((name) => name.slice('docker.io/library/'.length));

/** Repositories and tags that say of themselves that they are wrong. */
export const wrongWords = /nosuch|no-such|invalid|nonexist|non-exist|missing|doesnt|does-not|not-?found|not-?exist|(^|[-_./:])(nope|typo|wrong|bad|fake|bogus|oops)([-_./:]|\d|$)/;

/** Repositories that say of themselves that they want a login. */
export const privateWords = /(^|[-_./])private([-_./:]|$)/;
