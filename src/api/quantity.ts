/** Resource quantities: '100m', '64Mi', '1e3'. Upstream: apimachinery pkg/api/resource. */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface ParsedQuantity {
  /** The amount in units of 10^-9, exact. */
  nano: bigint;
  format: QuantityFormat;
}

const giga = 1_000_000_000n;
const maxWhole = (1n << 63n) - 1n;

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixWrong = "unable to parse quantity's suffix";

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const pow = (base: bigint, exponent: number): bigint => {
  let result = 1n;
  for (let i = 0; i < exponent; i++) result *= base;
  return result;
};
const abs = (value: bigint) => (value < 0n ? -value : value);
/** Away from zero: who asks for something gets something. */
const divideUp = (value: bigint, divisor: bigint) => (value < 0n ? -((-value + divisor - 1n) / divisor) : (value + divisor - 1n) / divisor);

/** The factor of a suffix as numerator and denominator over nano units. */
function suffixOf(suffix: string): { times: bigint; per: bigint; format: QuantityFormat } | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { times: pow(1000n, decimal), per: 1n, format: 'DecimalSI' };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { times: giga * pow(1024n, binary), per: 1n, format: 'BinarySI' };
  if (!/^[eE][+-]?\d+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  if (exponent > 1000 || exponent < -1000) return undefined;
  return exponent >= 0
    ? { times: giga * pow(10n, exponent), per: 1n, format: 'DecimalExponent' }
    : { times: giga, per: pow(10n, -exponent), format: 'DecimalExponent' };
}

function parse(text: string): ParsedQuantity | string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/s.exec(text);
  if (text === '' || match === null) return formatWrong;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (!/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix) || whole + fraction === '') return formatWrong;
  const factor = suffixOf(suffix);
  if (factor === undefined) return suffixWrong;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const nano = divideUp(digits * factor.times, pow(10n, fraction.length) * factor.per);
  // Only binary amounts are cut at what 64 bits hold.
  const limit = maxWhole * giga;
  return { nano: factor.format === 'BinarySI' && nano > limit ? limit : nano, format: factor.format };
}

/** Parsing is pure, and the same few texts come again and again. */
const known = new Map<string, ParsedQuantity | string>();

function cached(text: string): ParsedQuantity | string {
  let result = known.get(text);
  if (result === undefined) {
    if (known.size > 4000) known.clear();
    result = parse(text);
    known.set(text, result);
  }
  return result;
}

/** The quantity, or the text of the real server's error. */
export const parseQuantity = (text: string): ParsedQuantity | string => cached(text);

export const isQuantity = (text: string): boolean => typeof cached(text) !== 'string';

function exact(text: string | number | undefined): ParsedQuantity {
  if (text === undefined) return { nano: 0n, format: 'DecimalSI' };
  const result = cached(String(text));
  return typeof result === 'string' ? { nano: 0n, format: 'DecimalSI' } : result;
}

const plainNumber = /^\d{1,12}$/;
const plainMilli = /^\d{1,15}m$/;

/** Thousandths, rounded up: what schedulers count CPU in. An unreadable or absent quantity is 0. */
export function quantityToMilli(text: string | undefined): number {
  if (text === undefined) return 0;
  if (plainMilli.test(text)) return Number(text.slice(0, -1));
  if (plainNumber.test(text)) return Number(text) * 1000;
  return Number(divideUp(exact(text).nano, 1_000_000n));
}

/** Whole units, rounded up: bytes, pods, devices. */
export function quantityToNumber(text: string | undefined): number {
  if (text === undefined) return 0;
  return plainNumber.test(text) ? Number(text) : Number(divideUp(exact(text).nano, giga));
}

/** What a resource is counted in: thousandths for cpu, whole units for all else. */
export const resourceValue = (resource: string, text: string | undefined): number => (resource === 'cpu' ? quantityToMilli(text) : quantityToNumber(text));

export function compareQuantity(a: string | undefined, b: string | undefined): number {
  const left = exact(a).nano;
  const right = exact(b).nano;
  return left < right ? -1 : left > right ? 1 : 0;
}

export const quantitySign = (text: string | undefined): number => {
  const { nano } = exact(text);
  return nano < 0n ? -1 : nano > 0n ? 1 : 0;
};

export const isWholeQuantity = (text: string): boolean => exact(text).nano % giga === 0n;

/** Sum in the format of the first operand that is not zero. */
export function addQuantity(a: string | undefined, b: string | undefined): string {
  const left = exact(a);
  const right = exact(b);
  return formatQuantity({ nano: left.nano + right.nano, format: a === undefined || left.nano === 0n ? right.format : left.format });
}

export function subtractQuantity(a: string | undefined, b: string | undefined): string {
  const left = exact(a);
  const right = exact(b);
  return formatQuantity({ nano: left.nano - right.nano, format: a === undefined || left.nano === 0n ? right.format : left.format });
}

export const maxQuantity = (a: string | undefined, b: string | undefined): string => (a === undefined || compareQuantity(a, b) < 0 ? (b ?? '0') : a);
export const minQuantity = (a: string, b: string): string => (compareQuantity(a, b) <= 0 ? a : b);

/** '1500m' from 1500; '2' from 2000. */
export const quantityFromMilli = (milli: number): string => formatQuantity({ nano: BigInt(Math.ceil(milli)) * 1_000_000n, format: 'DecimalSI' });
export const quantityFromWhole = (value: number, format: QuantityFormat = 'DecimalSI'): string => formatQuantity({ nano: BigInt(Math.ceil(value)) * giga, format });

/** The one text of an amount in its format, as the server stores and prints it. Upstream: resource.Quantity.CanonicalizeBytes. */
export function formatQuantity({ nano, format }: ParsedQuantity): string {
  if (nano === 0n) return '0';
  const size = abs(nano);
  if (format === 'BinarySI' && size >= 1024n * giga && nano % giga === 0n) {
    let value = nano / giga;
    let step = 0;
    while (step < 6 && value % 1024n === 0n) {
      value /= 1024n;
      step += 1;
    }
    return `${value}${binarySuffixes[step]}`;
  }
  let value = nano;
  let step = 0;
  while (value % 1000n === 0n && (step < 9 || format === 'DecimalExponent')) {
    value /= 1000n;
    step += 1;
  }
  if (format !== 'DecimalExponent') return `${value}${decimalSuffixes[step]}`;
  return step === 3 ? String(value) : `${value}e${(step - 3) * 3}`;
}

/** A quantity as the server gives it back: '0.5' is '500m', '1024Mi' is '1Gi'. Unreadable text stays. */
export function canonicalQuantity(text: string): string {
  const result = cached(text);
  return typeof result === 'string' ? text : formatQuantity(result);
}
