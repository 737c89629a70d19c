import { compareText } from '../../sim/plain.ts';
import { goJson, goQuote } from './go-text.ts';

/** Upstream: apimachinery pkg/util/validation/field/errors.go. The texts are what users read. */
const types = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
} as const;

export type FieldErrorType = keyof typeof types;

/** One rule that a field breaks. */
export interface FieldError {
  type: FieldErrorType;
  /** 'spec.containers[0].image' */
  field: string;
  /** Without this key the text shows none. */
  value?: unknown;
  detail: string;
}

const make = (type: FieldErrorType, field: string, value: unknown, detail: string): FieldError => ({ type, field, value, detail });

export const required = (field: string, detail = ''): FieldError => make('FieldValueRequired', field, '', detail);
export const invalid = (field: string, value: unknown, detail: string): FieldError => make('FieldValueInvalid', field, value, detail);
export const duplicate = (field: string, value: unknown): FieldError => make('FieldValueDuplicate', field, value, '');
export const forbidden = (field: string, detail: string): FieldError => make('FieldValueForbidden', field, '', detail);
export const notFound = (field: string, value: unknown): FieldError => make('FieldValueNotFound', field, value, '');
export const tooLong = (field: string, maxBytes: number): FieldError =>
  make('FieldValueTooLong', field, '', maxBytes === 1 ? 'may not be more than 1 byte' : `may not be more than ${maxBytes} bytes`);
export const tooMany = (field: string, actual: number, max: number): FieldError =>
  make('FieldValueTooMany', field, actual, max === 1 ? 'must have at most 1 item' : `must have at most ${max} items`);
export const internalError = (field: string, detail: string): FieldError => make('InternalError', field, '', detail);

/** The supported values in the order that the real check lists them: mostly sorted, because they come from a set. */
export function notSupported(field: string, value: unknown, supported: readonly string[], sorted = true): FieldError {
  const list = sorted ? supported.toSorted(compareText) : supported;
  return make('FieldValueNotSupported', field, value ?? '', list.length === 0 ? '' : `supported values: ${list.map(goQuote).join(', ')}`);
}

const valueless: readonly FieldErrorType[] = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueTooLong', 'InternalError'];

/** 'Invalid value: "x": must be a y': what stands after the field in a message, and whole in a cause. */
export function errorBody(error: FieldError): string {
  let text: string = types[error.type];
  if (!valueless.includes(error.type) && 'value' in error) {
    const value = error.value;
    text += `: ${typeof value === 'string' ? goQuote(value) : typeof value === 'number' || typeof value === 'boolean' ? String(value) : goJson(value)}`;
  }
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

export const errorText = (error: FieldError): string => `${error.field}: ${errorBody(error)}`;

/** Several errors as one text: equal ones once, more than one in brackets. Upstream: apimachinery pkg/util/errors aggregate. */
export function aggregateText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(errorText))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
