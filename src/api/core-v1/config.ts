import { samePlain } from '../../sim/plain.ts';
import { forbidden, invalid, required, tooLong } from '../meta/field-error.ts';
import { ruled, sortedEntries, type Errors } from '../meta/check.ts';
import { configMapKeyProblems, dns1123SubdomainProblems } from '../meta/names.ts';
import { immutable, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import type { ConfigMap, Secret } from '../schema/types.ts';
import { base64Decode, base64Encode, base64Size, utf8Size } from '../meta/base64.ts';
import { fill } from './pod-defaults.ts';

const sizeMax = 1024 * 1024;

export function defaultSecret(secret: Secret): void {
  fill(secret, { type: 'Opaque' });
  // stringData is write-only: the conversion moves it into data.
  const plain = secret.stringData;
  if (plain === undefined) return;
  delete secret.stringData;
  secret.data = { ...secret.data };
  for (const key in plain) secret.data[key] = base64Encode(plain[key] as string);
}

export function validateConfigMap(errors: Errors, config: ConfigMap): void {
  validateObjectMeta(errors, config.metadata, true, dns1123SubdomainProblems);
  let size = 0;
  for (const [key, value] of sortedEntries(config.data)) {
    ruled(errors, `data[${key}]`, key, configMapKeyProblems);
    if (config.binaryData?.[key] !== undefined) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += utf8Size(value);
  }
  for (const [key, value] of sortedEntries(config.binaryData)) {
    ruled(errors, `binaryData[${key}]`, key, configMapKeyProblems);
    size += base64Size(value);
  }
  if (size > sizeMax) errors.push(tooLong('', sizeMax));
}

function frozen(errors: Errors, next: { immutable?: boolean }, old: { immutable?: boolean }, fields: readonly string[]): void {
  if (old.immutable !== true) return;
  const text = 'field is immutable when `immutable` is set';
  if (next.immutable !== true) errors.push(forbidden('immutable', text));
  for (const field of fields) {
    if (!samePlain((next as Record<string, unknown>)[field] ?? {}, (old as Record<string, unknown>)[field] ?? {})) errors.push(forbidden(field, text));
  }
}

export function validateConfigMapUpdate(errors: Errors, config: ConfigMap, old: ConfigMap): void {
  validateObjectMetaUpdate(errors, config.metadata, old.metadata);
  frozen(errors, config, old, ['data', 'binaryData']);
  validateConfigMap(errors, config);
}

/** Keys that a type of secret must have; some must hold JSON. */
function validateType(errors: Errors, secret: Secret): void {
  const data = secret.data ?? {};
  const need = (key: string) => {
    if (data[key] === undefined) errors.push(required(`data[${key}]`));
  };
  const json = (key: string) => {
    const value = data[key];
    if (value === undefined) need(key);
    else if (!isJsonObject(base64Decode(value))) errors.push(invalid(`data[${key}]`, '<secret contents redacted>', jsonProblem(base64Decode(value))));
  };
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      if (!secret.metadata.annotations?.['kubernetes.io/service-account.name']) errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
      break;
    case 'kubernetes.io/dockercfg': json('.dockercfg'); break;
    case 'kubernetes.io/dockerconfigjson': json('.dockerconfigjson'); break;
    case 'kubernetes.io/basic-auth':
      if (data.username === undefined && data.password === undefined) ['username', 'password'].forEach(need);
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.push(required('data[ssh-privatekey]'));
      break;
    case 'kubernetes.io/tls': ['tls.crt', 'tls.key'].forEach(need); break;
    default:
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Simplified: of Go's JSON errors the two that a mistyped secret meets. */
function jsonProblem(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'unexpected end of JSON input';
  try {
    const value: unknown = JSON.parse(trimmed);
    return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type map[string]interface {}`;
  } catch {
    return /^[{["\d-]/.test(trimmed) ? 'unexpected end of JSON input' : `invalid character '${trimmed[0]}' looking for beginning of value`;
  }
}

export function validateSecret(errors: Errors, secret: Secret): void {
  validateObjectMeta(errors, secret.metadata, true, dns1123SubdomainProblems);
  let size = 0;
  for (const [key, value] of sortedEntries(secret.data)) {
    ruled(errors, `data[${key}]`, key, configMapKeyProblems);
    size += base64Size(value);
  }
  if (size > sizeMax) errors.push(tooLong('data', sizeMax));
  validateType(errors, secret);
}

export function validateSecretUpdate(errors: Errors, secret: Secret, old: Secret): void {
  validateObjectMetaUpdate(errors, secret.metadata, old.metadata);
  immutable(errors, 'type', secret.type ?? '', old.type ?? '');
  frozen(errors, secret, old, ['data']);
  validateSecret(errors, secret);
}

export function secretWarnings(secret: Secret): string[] {
  const certificate = secret.data?.['tls.crt'];
  if (secret.type !== 'kubernetes.io/tls' || certificate === undefined || secret.data?.['tls.key'] === undefined) return [];
  return base64Decode(certificate).includes('-----BEGIN') ? [] : ['tls: failed to find any PEM data in certificate input'];
}
