/** Rules for names, labels and keys. Each answers with the texts of what is wrong. Upstream: apimachinery pkg/util/validation. */

type Problems = string[];

const none: Problems = [];
const atMost = (text: string, max: number, unit = 'characters'): Problems => (text.length > max ? [`must be no more than ${max} ${unit}`] : none);

const label1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedName})?`;

const compiled = new Map<string, RegExp>();
const matches = (text: string, pattern: string): boolean => {
  let regExp = compiled.get(pattern);
  if (regExp === undefined) compiled.set(pattern, (regExp = new RegExp(`^(?:${pattern})$`)));
  return regExp.test(text);
};

/** Upstream: RegexError. */
function patternProblem(message: string, pattern: string, ...examples: string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (${examples.length > 0 ? `e.g. ${list}` : ''}regex used for validation is '${pattern}')`;
}

const label1123Problem = patternProblem(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label1123, 'my-name', '123-abc',
);
const subdomainProblem = patternProblem(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain1123, 'example.com',
);
const label1035Problem = patternProblem(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035, 'my-name', 'abc-123',
);
const qualifiedRule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const qualifiedProblem = patternProblem(qualifiedRule, qualifiedName, 'MyName', 'my.name', '123-abc');
const labelValueProblem = patternProblem(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  labelValue, 'MyValue', 'my_value', '12345',
);

export function dns1123LabelProblems(text: string): Problems {
  return [...atMost(text, 63), ...(matches(text, label1123) ? none : [matches(text, subdomain1123) ? 'must not contain dots' : label1123Problem])];
}

export const dns1123SubdomainProblems = (text: string): Problems => [...atMost(text, 253), ...(matches(text, subdomain1123) ? none : [subdomainProblem])];
export const dns1035LabelProblems = (text: string): Problems => [...atMost(text, 63), ...(matches(text, label1035) ? none : [label1035Problem])];

const label1123Underscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const subdomainUnderscore = `${label1123Underscore}(\\.${label1123Underscore})*`;
const subdomainUnderscoreProblem = patternProblem(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  subdomainUnderscore, 'example.com',
);

/** DNS search paths. */
export const subdomainWithUnderscoreProblems = (text: string): Problems => [...atMost(text, 253), ...(matches(text, subdomainUnderscore) ? none : [subdomainUnderscoreProblem])];

/** A '*.example.com' host. */
export function wildcardSubdomainProblems(text: string): Problems {
  const pattern = `\\*\\.${subdomain1123}`;
  return [...atMost(text, 253), ...(matches(text, pattern) ? none : [
    patternProblem("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character", pattern, '*.example.com'),
  ])];
}

/** 'example.com/name' or 'name'. Upstream: IsQualifiedName (content.IsLabelKey). */
export function labelKeyProblems(text: string): Problems {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${patternProblem(qualifiedRule, qualifiedName, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) as string;
  const problems: Problems = [];
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...dns1123SubdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...atMost(name, 63, 'bytes').map((problem) => `name part ${problem}`));
  if (!matches(name, qualifiedName)) problems.push(`name part ${qualifiedProblem}`);
  return problems;
}

export const qualifiedNameProblems = labelKeyProblems;

export const labelValueProblems = (text: string): Problems => [...atMost(text, 63, 'bytes'), ...(matches(text, labelValue) ? none : [labelValueProblem])];

/** 'http', 'web-1'. Upstream: IsValidPortName. */
export function portNameProblems(text: string): Problems {
  return [
    ...atMost(text, 15),
    ...(/^[-a-z0-9]+$/.test(text) ? none : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(text) ? none : ['must contain at least one letter (a-z)']),
    ...(text.includes('--') ? ['must not contain consecutive hyphens'] : none),
    ...(text.startsWith('-') || text.endsWith('-') ? ['must not begin or end with a hyphen'] : none),
  ];
}

export const portProblems = (value: number): Problems => rangeProblems(value, 1, 65_535);
export const rangeProblems = (value: number, low: number, high: number): Problems => (value >= low && value <= high ? none : [`must be between ${low} and ${high}, inclusive`]);

/** Keys of ConfigMaps and Secrets. Upstream: IsConfigMapKey. */
export function configMapKeyProblems(text: string): Problems {
  const pattern = '[-._a-zA-Z0-9]+';
  const problems = [...atMost(text, 253)];
  if (!matches(text, pattern)) {
    problems.push(patternProblem("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", pattern, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (text === '.') problems.push("must not be '.'");
  if (text === '..') problems.push("must not be '..'");
  else if (text.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** Any printable ASCII but '='. Upstream: IsRelaxedEnvVarName. */
export function envNameProblems(text: string): Problems {
  return text !== '' && /^[ -<>-~]+$/.test(text) ? none : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function cIdentifierProblems(text: string): Problems {
  const pattern = '[A-Za-z_][A-Za-z0-9_]*';
  return matches(text, pattern) ? none : [patternProblem("a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'", pattern, 'my_name', 'MY_NAME', 'MyName')];
}

export function httpHeaderNameProblems(text: string): Problems {
  const pattern = '[-A-Za-z0-9]+';
  return matches(text, pattern) ? none : [patternProblem("a valid HTTP header must consist of alphanumeric characters or '-'", pattern, 'X-Header-Name')];
}

export function percentProblems(text: string): Problems {
  const pattern = '[0-9]+%';
  return matches(text, pattern) ? none : [patternProblem("a valid percent string must be a numeric string followed by an ending '%'", pattern, '1%', '93%')];
}

export const isPercent = (text: string): boolean => /^[0-9]+%$/.test(text);

/** An object's name where its kind wants a subdomain; the part before a generated end may end in '-'. */
export type NameRule = (text: string) => Problems;

/** Names that become a path segment (roles, priority levels). Upstream: IsValidPathSegmentName. */
export function pathSegmentProblems(text: string): Problems {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((char) => text.includes(char)).map((char) => `may not contain '${char}'`);
}
