/** An image reference, taken apart and made complete. */
export interface ImageReference {
  /** 'docker.io/library/nginx' */
  repository: string;
  domain: string;
  path: string;
  tag: string | undefined;
  digest: string | undefined;
  /** 'docker.io/library/nginx:1.27', or with @digest. */
  name: string;
}

const cache = new Map<string, ImageReference | string>();

/**
 * The parts of a reference, or the parser's error text.
 * Upstream: distribution/reference normalize.go ParseNormalizedNamed, kubelet pkg/util/parsers ParseImageName (adds 'latest').
 */
export function parseReference(text: string): ImageReference | string {
  let parsed = cache.get(text);
  if (parsed === undefined) cache.set(text, (parsed = parse(text)));
  return parsed;
}

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const host = '(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?';
const pattern = new RegExp(`^(${host})/(${component}(?:/${component})*)(?::([\\w][\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`);

function parse(text: string): ImageReference | string {
  if (text === '') return 'invalid reference format';
  if (/^[a-f0-9]{64}$/.test(text)) return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
  const [domain, rest] = splitDomain(text);
  const colon = rest.indexOf(':');
  const remote = colon < 0 ? rest : rest.slice(0, colon);
  if (remote.toLowerCase() !== remote) return `invalid reference format: repository name (${remote}) must be lowercase`;
  const match = pattern.exec(`${domain}/${rest}`);
  if (match === null) return 'invalid reference format';
  const repository = `${match[1] ?? ''}/${match[2] ?? ''}`;
  if (repository.length > 255) return 'repository name must not be more than 255 characters';
  const digest = match[4];
  const tag = match[3] ?? (digest === undefined ? 'latest' : undefined);
  const name = digest === undefined ? `${repository}:${tag ?? ''}` : `${repository}@${digest}`;
  return { repository, domain: match[1] ?? '', path: match[2] ?? '', tag, digest, name };
}

/** Upstream: splitDockerDomain. */
function splitDomain(text: string): [domain: string, rest: string] {
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  let domain = slash >= 0 && isHost ? first : 'docker.io';
  let rest = slash >= 0 && isHost ? text.slice(slash + 1) : text;
  if (domain === 'index.docker.io') domain = 'docker.io';
  if (domain === 'docker.io' && !rest.includes('/')) rest = `library/${rest}`;
  return [domain, rest];
}
