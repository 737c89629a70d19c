import { deepFreeze } from '../../sim/plain.ts';
import type { FileNode } from './state.ts';
import { parseReference } from './reference.ts';

/** The files of an image: one frozen table an image, shared by all its containers. */
export type ImageFiles = Readonly<Record<string, FileNode>>;

const directory: FileNode = { kind: 'directory', content: '', size: 4096, mode: 0o755, changedAt: 0 };
const file = (content: string, mode = 0o644): FileNode => ({ kind: 'file', content, size: content.length, mode, changedAt: 0 });

const commonDirectories = '/ /bin /dev /etc /home /lib /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/local/bin /usr/sbin /usr/share /var /var/cache /var/lib /var/log /var/run /var/tmp'.split(' ');

const applets = 'ash awk base64 basename cat chmod chown clear cp cut date dd df dirname du echo env expr false find free grep gunzip gzip head hostname id ifconfig ip kill killall less ln ls md5sum mkdir mktemp more mv nc netstat nice nohup nproc nslookup pidof ping printenv printf ps pwd readlink realpath rm rmdir sed seq sh sha256sum sleep sort stat sync tail tar tee telnet test time timeout top touch tr true tty uname uniq uptime usleep vi watch wc wget which whoami xargs yes'.split(' ');

const nginxWelcome = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
</head>
<body>
<h1>Welcome to nginx!</h1>
</body>
</html>
`;

const nginxConfig = `user  nginx;
worker_processes  auto;
events {
    worker_connections  1024;
}
http {
    include       /etc/nginx/mime.types;
    include /etc/nginx/conf.d/*.conf;
}
`;

const nginxSite = `server {
    listen       80;
    server_name  localhost;
    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }
}
`;

/** What repositories have beside the common tree; by the last part of the repository. */
const special: Readonly<Record<string, Readonly<Record<string, FileNode>>>> = {
  nginx: {
    '/usr/share/nginx': directory, '/usr/share/nginx/html': directory, '/etc/nginx': directory, '/etc/nginx/conf.d': directory, '/var/cache/nginx': directory, '/var/log/nginx': directory,
    '/usr/share/nginx/html/index.html': file(nginxWelcome), '/usr/share/nginx/html/50x.html': file('<h1>An error occurred.</h1>\n'),
    '/etc/nginx/nginx.conf': file(nginxConfig), '/etc/nginx/conf.d/default.conf': file(nginxSite), '/etc/nginx/mime.types': file('types { text/html html; }\n'),
    '/usr/sbin/nginx': file('', 0o755), '/docker-entrypoint.sh': file('', 0o755), '/docker-entrypoint.d': directory,
  },
  httpd: { '/usr/local/apache2': directory, '/usr/local/apache2/htdocs': directory, '/usr/local/apache2/htdocs/index.html': file('<html><body><h1>It works!</h1></body></html>\n') },
  redis: { '/data': directory },
  valkey: { '/data': directory },
  postgres: { '/var/lib/postgresql': directory, '/var/lib/postgresql/data': directory },
  mysql: { '/var/lib/mysql': directory },
  mariadb: { '/var/lib/mysql': directory },
  mongo: { '/data': directory, '/data/db': directory },
};

/** Images without a shell or any tool. */
const bare = /(^|\/)(pause|hello-world|http-echo|whoami|hello-app)$|distroless/;

const cache = new Map<string, ImageFiles>();

export function imageFiles(image: string): ImageFiles {
  const parsed = parseReference(image);
  const repository = typeof parsed === 'string' ? image : parsed.repository;
  let files = cache.get(repository);
  if (files === undefined) cache.set(repository, (files = deepFreeze(buildFiles(repository))));
  return files;
}

function buildFiles(repository: string): Record<string, FileNode> {
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const files: Record<string, FileNode> = {};
  for (const path of commonDirectories) files[path] = path === '/tmp' || path === '/var/tmp' ? { ...directory, mode: 0o1777 } : directory;
  files['/etc/passwd'] = file('root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n');
  files['/etc/group'] = file('root:x:0:\nnobody:x:65534:\n');
  for (const generated of ['hosts', 'hostname', 'resolv.conf']) files[`/etc/${generated}`] = file('');
  files['/etc/os-release'] = file(`NAME="${name}"\nID=${name}\n`);
  for (const device of ['null', 'zero', 'full', 'random', 'urandom', 'stdin', 'stdout', 'stderr', 'tty']) files[`/dev/${device}`] = file('', 0o666);
  if (!bare.test(repository)) for (const applet of applets) files[`/bin/${applet}`] = file('', 0o755);
  return Object.assign(files, special[name] ?? (name.startsWith('nginx') ? special.nginx : undefined));
}
