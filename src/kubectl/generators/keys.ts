import { base64Encode } from '../../api/meta/base64.ts';
import { configMapKeyProblems, envNameProblems } from '../../api/meta/names.ts';
import { plainError } from '../failure.ts';
import { flag, type ParsedArguments } from '../flags.ts';
import type { Place } from '../manifests.ts';
import { baseName, type Generator } from './generator.ts';

const sourceFlags = { 'from-file': flag.list(), 'from-literal': flag.texts(), 'from-env-file': flag.list(), 'append-hash': flag.bool() };

function readFile(path: string, { files }: Place): string {
  const text = files?.[path];
  if (text === undefined) throw plainError(`error reading ${path}: no such file or directory`);
  return text;
}

/** The keys and values that the flags name, in order. Upstream: create_configmap.go, create_secret.go handle…Sources. */
function sourcesOf(parsed: ParsedArguments, place: Place, add: (key: string, value: string) => void): void {
  if (parsed.has('from-env-file') && (parsed.has('from-file') || parsed.has('from-literal'))) throw plainError('from-env-file cannot be combined with from-file or from-literal');
  for (const source of parsed.list('from-file')) {
    const equals = source.indexOf('=');
    const path = source.slice(equals + 1);
    add(equals < 0 ? baseName(path) : source.slice(0, equals), readFile(path, place));
  }
  for (const source of parsed.list('from-literal')) {
    const equals = source.indexOf('=');
    if (equals < 1) throw plainError(`invalid literal source ${source}, expected key=value`);
    add(source.slice(0, equals), source.slice(equals + 1).replace(/^(["'])(.*)\1$/s, '$2'));
  }
  for (const path of parsed.list('from-env-file')) {
    for (const line of readFile(path, place).replace(/^\ufeff/, '').split('\n')) {
      const text = line.trimStart();
      if (text.trim() === '' || text.startsWith('#')) continue;
      const equals = text.indexOf('=');
      const key = equals < 0 ? text : text.slice(0, equals);
      const problems = envNameProblems(key);
      if (problems.length > 0) throw plainError(`"${key}" is not a valid key name: ${problems.join(';')}`);
      if (equals > 0) add(key, text.slice(equals + 1));
    }
  }
}

export const configMap: Generator = {
  verb: 'configmap', resource: 'configmaps', flags: sourceFlags, doing: 'failed to create configmap',
  build(name, parsed, place) {
    const data: Record<string, string> = {};
    sourcesOf(parsed, place, (key, value) => {
      const problems = configMapKeyProblems(key);
      if (problems.length > 0) throw plainError(`"${key}" is not a valid key name for a ConfigMap: ${problems.join(',')}`);
      if (data[key] !== undefined) throw plainError(`cannot add key "${key}", another key by that name already exists in Data for ConfigMap "${name}"`);
      data[key] = value;
    });
    return { apiVersion: 'v1', kind: 'ConfigMap', ...(Object.keys(data).length === 0 ? {} : { data }) };
  },
};

const secret = (data: Readonly<Record<string, string>>, type: string | undefined) => ({
  apiVersion: 'v1', kind: 'Secret', ...(type === undefined ? {} : { type }),
  ...(Object.keys(data).length === 0 ? {} : { data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64Encode(value)])) }),
});

export const secrets: Readonly<Record<string, Generator>> = {
  generic: {
    verb: 'secret generic', resource: 'secrets', flags: { ...sourceFlags, type: flag.text() }, doing: 'failed to create secret',
    build(_, parsed, place) {
      const data: Record<string, string> = {};
      sourcesOf(parsed, place, (key, value) => {
        const problems = configMapKeyProblems(key);
        if (problems.length > 0) throw plainError(`"${key}" is not valid key name for a Secret ${problems.join(';')}`);
        if (data[key] !== undefined) throw plainError(`cannot add key ${key}, another key by that name already exists`);
        data[key] = value;
      });
      return secret(data, parsed.text('type'));
    },
  },
  // Simplified: the pair is not checked.
  tls: {
    verb: 'secret tls', resource: 'secrets', flags: { cert: flag.text(), key: flag.text(), 'append-hash': flag.bool() }, doing: 'failed to create secret',
    build(_, parsed, { files }) {
      const [cert, key] = [parsed.text('cert'), parsed.text('key')];
      if (!cert || !key) throw plainError('key and cert must be specified');
      const read = (path: string) => {
        const text = files?.[path];
        if (text === undefined) throw plainError(`Cannot read file ${path}, open ${path}: no such file or directory`);
        return text;
      };
      return secret({ 'tls.crt': read(cert), 'tls.key': read(key) }, 'kubernetes.io/tls');
    },
  },
  'docker-registry': {
    verb: 'secret docker-registry', resource: 'secrets', doing: 'failed to create secret',
    flags: { 'docker-username': flag.text(), 'docker-password': flag.text(), 'docker-email': flag.text(), 'docker-server': flag.text(), 'from-file': flag.list(), 'append-hash': flag.bool() },
    build(_, parsed, place) {
      const [file] = parsed.list('from-file');
      if (file !== undefined) return secret({ '.dockerconfigjson': readFile(file.slice(file.indexOf('=') + 1), place) }, 'kubernetes.io/dockerconfigjson');
      const [username, password, email] = [parsed.text('docker-username'), parsed.text('docker-password'), parsed.text('docker-email')];
      if (!username || !password) throw plainError('either --from-file or the combination of --docker-username, --docker-password and --docker-server is required');
      const entry = { username, password, ...(email === undefined ? {} : { email }), auth: base64Encode(`${username}:${password}`) };
      return secret({ '.dockerconfigjson': JSON.stringify({ auths: { [parsed.text('docker-server') ?? 'https://index.docker.io/v1/']: entry } }) }, 'kubernetes.io/dockerconfigjson');
    },
  },
};
