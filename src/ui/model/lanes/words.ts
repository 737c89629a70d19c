import type { Message } from '../../../worker/protocol.ts';

const methods: Record<string, string> = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE', deletecollection: 'DELETE', get: 'GET', list: 'GET' };

/** As the CRI names its calls. Upstream: staging/src/k8s.io/cri-api runtime/v1/api.proto. */
const calls: Record<string, string> = {
  'run-sandbox': 'RunPodSandbox', 'stop-sandbox': 'StopPodSandbox', 'remove-sandbox': 'RemovePodSandbox', 'pull-image': 'PullImage', 'create-container': 'CreateContainer',
  'start-container': 'StartContainer', 'stop-container': 'StopContainer', 'remove-container': 'RemoveContainer', exec: 'ExecSync',
};

const statuses: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict', 410: 'Gone', 422: 'Unprocessable Entity', 429: 'Too Many Requests' };

/** 'pods/web/status'. */
export function objectOf({ resource, name, subresource }: Message): string {
  return [resource?.split('.')[0], name, subresource].filter((part) => part !== undefined && part !== '').join('/');
}

/** '201 Created'; empty where there is no status. */
export function statusOf({ kind, code }: Message): string {
  if (code === undefined || kind === 'command' || kind === 'cri' || kind === 'cri-reply') return '';
  return `${code} ${statuses[code] ?? ''}`.trim();
}

/** The answer says no. A request is marked at its answer. */
export function isFailure({ kind, code }: Message): boolean {
  if (code === undefined) return false;
  return kind === 'response' ? code >= 400 : (kind === 'cri-reply' || kind === 'command') && code !== 0;
}

/** What a message is, in the words that go over the wire: 'PATCH pods/web/status', 'MODIFIED pods/web', 'PullImage app'. */
export function titleOf(message: Message): string {
  const { kind, verb, name = '' } = message;
  switch (kind) {
    case 'command': return `kubectl ${message.detail ?? ''}`;
    case 'request': return `${methods[verb] ?? verb} ${objectOf(message)}`;
    case 'response': return `${statusOf(message)} ${objectOf(message)}`.trim();
    case 'list': return 'LIST, WATCH';
    case 'cri': case 'cri-reply': return `${calls[verb] ?? verb} ${name}`.trim();
    default: return `${verb} ${objectOf(message)}`;
  }
}

/** Short, to stand beside the line. Empty: the line says enough. */
export function labelOf(message: Message): string {
  if (message.kind === 'put') return `rev ${message.revision ?? ''}`;
  if (message.kind === 'response') return isFailure(message) ? statusOf(message) : '';
  if (message.kind === 'cri-reply') return isFailure(message) ? titleOf(message) : '';
  return titleOf(message);
}
