import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document, type Node as YamlNode, type Pair } from 'yaml';
import type { Problem } from './problem.ts';

export interface Place {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface ManifestDocument {
  /** As JSON: what kubectl sends. undefined for an empty document. */
  value: unknown;
  problems: Problem[];
  /** Where 'spec.containers[0].image' or 'metadata.labels[app]' stands, or its nearest ancestor that exists. */
  locate(fieldPath: string): Place | undefined;
}

/** A manifest of one or more YAML 1.1 documents, or JSON, as sigs.k8s.io/yaml reads it. */
export function parseManifest(text: string): ManifestDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { version: '1.1', merge: true, uniqueKeys: false, lineCounter: lines, prettyErrors: false, strict: true, intAsBigInt: false });
  return (documents as Document.Parsed[]).map((document) => {
    const at = (from: number, to: number): Place => {
      const start = lines.linePos(from);
      const end = lines.linePos(Math.max(from + 1, to));
      return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
    };
    return {
      value: document.errors.length > 0 ? undefined : document.toJS(),
      problems: document.errors.map((error) => ({ severity: 'error', source: 'yaml', message: error.message, ...at(error.pos[0], error.pos[1]) })),
      locate: (path) => locate(document, path, at),
    };
  });
}

function locate(document: Document.Parsed, path: string, at: (from: number, to: number) => Place): Place | undefined {
  let node: unknown = document.contents;
  let range: [number, number] | undefined;
  for (const part of path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? []) {
    const key = part.replace(/^\[|\]$/g, '');
    if (isSeq(node)) {
      const item = node.items[Number(key)] as YamlNode | undefined;
      if (item?.range == null) break;
      [node, range] = [item, [item.range[0], item.range[1]]];
    } else if (isMap(node)) {
      const pair = node.items.find((candidate) => isScalar(candidate.key) && String(candidate.key.value) === key) as Pair | undefined;
      const keyNode = pair?.key as YamlNode | undefined;
      if (pair === undefined || keyNode?.range == null) break;
      [node, range] = [pair.value, [keyNode.range[0], keyNode.range[1]]];
    } else break;
  }
  return range === undefined ? undefined : at(range[0], range[1]);
}
