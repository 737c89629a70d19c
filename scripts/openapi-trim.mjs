// Keeps of the API server's OpenAPI v3 documents what the generator reads: the schemas of our kinds and what they refer to.
// Usage: node scripts/openapi-trim.mjs DIRECTORY-OF-DOCUMENTS   (rewrites src/api/schema/openapi/schemas.json)
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: openapi-trim.mjs DIRECTORY');
const all = {};
for (const file of readdirSync(directory).filter((name) => /_v\d+\.json$/.test(name)).sort()) {
  Object.assign(all, JSON.parse(readFileSync(join(directory, file), 'utf8')).components.schemas);
}
const kept = {};
const visit = (name) => {
  if (kept[name] !== undefined || all[name] === undefined) return;
  kept[name] = all[name];
  for (const [, ref] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) visit(ref);
};
// Kinds that nothing here stores: left out, with all that only they need.
const absent = /\.(CSI\w+|VolumeAttachment\w*|VolumeAttributesClass\w*|ServiceCIDR\w*|IPAddress\w*|ComponentStatus\w*)$/;
for (const [name, schema] of Object.entries(all)) {
  const isKind = (schema['x-kubernetes-group-version-kind'] ?? []).length > 0;
  if (isKind && !/authentication|apimachinery|List$/.test(name) && !absent.test(name)) visit(name);
}
for (const name of ['DeleteOptions', 'Status', 'LabelSelector']) visit(`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`);
const sorted = Object.fromEntries(Object.keys(kept).sort().map((name) => [name, kept[name]]));
writeFileSync('src/api/schema/openapi/schemas.json', `${JSON.stringify(sorted, null, 1)}\n`);
