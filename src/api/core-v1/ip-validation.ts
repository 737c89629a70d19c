import { invalid } from '../meta/field-error.ts';
import { ipRule, isIp, isIpv6, ruled, type Errors } from '../meta/check.ts';

/** Upstream: ValidateEndpointIP: addresses that no endpoint can have. */
export function validateEndpointIp(errors: Errors, path: string, ip: string): void {
  const parts = ip.split('.').map(Number);
  const v6 = ip.toLowerCase();
  const fail = (why: string) => errors.push(invalid(path, ip, why));
  if (!isIp(ip)) {
    fail('must be a valid IP address');
    return;
  }
  const is4 = !isIpv6(ip);
  if (is4 ? parts.every((part) => part === 0) : v6 === '::') fail(`may not be unspecified (${ip})`);
  if (is4 ? parts[0] === 127 : v6 === '::1') fail('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (is4 ? parts[0] === 169 && parts[1] === 254 : /^fe[89ab]/.test(v6)) fail('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (is4 ? parts[0] === 224 && parts[1] === 0 && parts[2] === 0 : /^ff[0-9a-f]2:/.test(v6)) fail('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

export function validateCidr(errors: Errors, path: string, value: string): void {
  ruled(errors, path, value, cidrRule);
}

export function cidrRule(text: string): string[] {
  const match = /^(.*)\/(\d{1,3})$/.exec(text);
  const good = match !== null && isIp(match[1] as string) && Number(match[2]) <= (isIpv6(match[1] as string) ? 128 : 32);
  return good ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
}

export const familyOf = (ip: string): 'IPv4' | 'IPv6' => (isIpv6(ip) ? 'IPv6' : 'IPv4');

export { ipRule };
