import { invalid } from '../meta/field-error.ts';
import type { Errors } from '../meta/check.ts';

/** Upstream: validatePathNoBacksteps, validateLocalDescendingPath, ValidateLocalNonReservedPath. */
export function noBacksteps(errors: Errors, path: string, value: string): boolean {
  if (!value.split('/').includes('..')) return true;
  errors.push(invalid(path, value, "must not contain '..'"));
  return false;
}

export function relativePath(errors: Errors, path: string, value: string): void {
  if (value.startsWith('/')) errors.push(invalid(path, value, 'must be a relative path'));
  noBacksteps(errors, path, value);
}

export function localPath(errors: Errors, path: string, value: string): void {
  relativePath(errors, path, value);
  if (value.startsWith('..') && !value.startsWith('../')) errors.push(invalid(path, value, "must not start with '..'"));
}
