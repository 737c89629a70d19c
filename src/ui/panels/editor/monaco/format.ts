import { parseAllDocuments } from 'yaml';

/** The same documents with even indentation. Comments and their places stay. Undefined: the text is not YAML. */
export function formatYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { version: '1.1', keepSourceTokens: false });
  if (!Array.isArray(documents) || documents.some((document) => document.errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ indent: 2, indentSeq: true, lineWidth: 0, flowCollectionPadding: true, minContentWidth: 0 })).join('').replace(/\n*$/, '\n');
}
