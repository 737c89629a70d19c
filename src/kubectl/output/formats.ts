import { goValue } from '../../api/meta/go-text.ts';
import { plainError } from '../failure.ts';
import { renderColumns } from '../table.ts';
import { findValues, goSyntax, parseRelaxed, parseTemplate, runTemplate, TemplateFault, valueText, type Template } from './jsonpath.ts';
import { jsonText, type Printing } from './printers.ts';

function read(text: string, parse: (text: string) => Template, doing: string): Template {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    throw plainError(`${doing}, ${error.message}`);
  }
}

/** Upstream: cli-runtime printers/jsonpath.go. */
function running<T>(argument: string, data: unknown, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    throw plainError(`error executing jsonpath ${JSON.stringify(argument)}: Error executing template: ${error.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${argument}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(data)}\n\n`);
  }
}

function jsonPath(argument: string): Printing {
  if (argument === '') throw plainError('template format specified but no template given');
  const template = read(argument, parseTemplate, `error parsing jsonpath ${argument}`);
  return (_, object) => running(argument, object, () => runTemplate(template, object));
}

function jsonPathAsJson(argument: string): Printing {
  const template = read(argument, parseTemplate, `error parsing jsonpath ${argument}`);
  return (_, object) => running(argument, object, () => jsonText(findValues(template, object)));
}

/** Upstream: k8s.io/kubectl/pkg/cmd/get/customcolumn.go. */
function customColumns(argument: string): Printing {
  if (argument === '') throw plainError('custom-columns format specified but no custom columns given');
  const columns = argument.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) throw plainError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { header: part.slice(0, colon), template: read(part.slice(colon + 1), parseRelaxed, 'error parsing custom column') };
  });
  let headed = false;
  const widths: number[] = [];
  return (_, object) => {
    const { items } = object as { items?: unknown[] };
    const rows = (items ?? [object]).map((item) => columns.map(({ template }) => {
      const values = findValues(template, item);
      return values.length === 0 ? '<none>' : values.map((value) => (typeof value === 'object' ? goValue(value) : valueText(value))).join(',');
    }));
    const head = headed ? [] : [columns.map(({ header }) => header)];
    headed = true;
    return renderColumns([...head, ...rows], widths);
  };
}

export const moreFormats: Readonly<Record<string, (argument: string) => Printing>> = { jsonpath: jsonPath, 'jsonpath-as-json': jsonPathAsJson, 'custom-columns': customColumns };
