/** Short manifests for tests. */
const container = (more: string) => `containers: [{ name: c, image: nginx:1.25${more} }]`;

const template = (labels: string, spec: string) => `template: { metadata: { labels: { ${labels} } }, spec: { terminationGracePeriodSeconds: 1, ${spec} } }`;

export const workload = (kind: string, name: string, spec: string, { more = '', podSpec = '' } = {}): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec: { selector: { matchLabels: { app: ${name} } }, ${spec}, ${template(`app: ${name}`, `${container(more)}${podSpec}`)} }
`;

export const job = (name: string, spec: string, command: string): string => `apiVersion: batch/v1
kind: Job
metadata: { name: ${name} }
spec: { ${spec}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: 'busybox:1.36', command: [sh, -c, '${command}'] }] } } }
`;

export const service = (name: string, spec = ''): string => `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }]${spec} }
`;

export const pod = (name: string, labels: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { ${labels} } }
spec: { terminationGracePeriodSeconds: 1, ${container('')} }
`;
