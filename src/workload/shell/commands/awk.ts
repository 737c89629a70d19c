import { err, gather, getOptions, linesOf, out, type Call, type Outcome } from '../command.ts';
import { parseAwk } from './awk-parser.ts';
import { tokenize, type AwkRun } from './awk-values.ts';
import { posixRegex } from './lines.ts';

/**
 * A small awk: patterns, print, printf, if, for, while, variables, arrays, fields, the common functions.
 * Simplified: no getline, no output redirection, no functions of its own (said so).
 */
export function awk(call: Call): Outcome {
  const { values, rest } = getOptions(call.args, ['F', 'v', 'f']);
  const [program = '', ...names] = rest;
  const run: AwkRun = {
    variables: { NR: 0, NF: 0, OFS: ' ', ORS: '\n', FS: values.F === 't' || values.F === '\\t' ? '\t' : (values.F ?? ' ') }, arrays: { ENVIRON: { ...call.proc.env } },
    fields: [], line: '', budget: 200_000, print: (text) => out(call, text), setLine: (line) => setLine(run, line),
  };
  const rules = parseAwk(tokenize(program), run);
  if (rules === undefined) {
    err(call, 'kubelapse: this awk program is not simulated\n');
    return 127;
  }
  const gathered = rules.every((rule) => rule.when === 'BEGIN') ? { texts: [], failed: false } : gather(call, names);
  if (gathered === undefined) return { block: 'input' };
  const assigned = /^(\w+)=(.*)$/s.exec(values.v ?? '');
  if (assigned !== null) run.variables[assigned[1] as string] = assigned[2] as string;
  const runRules = (kind: string) => {
    run.skip = false;
    for (const { when, test, body } of rules) if (when === kind && run.ended === undefined && run.skip === false && (test === undefined || test())) body();
  };
  runRules('BEGIN');
  for (const line of gathered.texts.flatMap(({ text }) => linesOf(text))) {
    if (run.ended !== undefined) break;
    run.variables.NR = Number(run.variables.NR) + 1;
    setLine(run, line);
    runRules('');
  }
  const status = run.ended;
  delete run.ended;
  runRules('END');
  return run.ended ?? status ?? (gathered.failed ? 2 : 0);
}

function setLine(run: AwkRun, line: string): void {
  const separator = String(run.variables.FS);
  run.line = line;
  if (separator === ' ') run.fields = line.trim().split(/\s+/).filter((field) => field !== '');
  else run.fields = line === '' ? [] : line.split(separator.length === 1 ? separator : (posixRegex(separator, true) ?? separator));
  run.variables.NF = run.fields.length;
}
