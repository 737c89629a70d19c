import { describe, expect, it } from 'vitest';
import { addQuantity, canonicalQuantity, compareQuantity, isQuantity, parseQuantity, quantityToMilli, quantityToNumber, resourceValue } from './quantity.ts';

describe('quantities', () => {
  it.each([
    ['0.1', '100m'], ['1000m', '1'], ['1500m', '1500m'], ['1024Mi', '1Gi'], ['1.5Gi', '1536Mi'], ['1000k', '1M'], ['1e3', '1e3'], ['12e6', '12e6'], ['0.5', '500m'], ['-0.25', '-250m'], ['0', '0'], ['00.10', '100m'],
    ['0.0000000001', '1n'], ['1Ki', '1Ki'], ['1024', '1024'],
  ])('prints %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', 'abc', '1 Gi', '1gi', '1KB', '--1', '1.2.3', 'Mi', '1e', '½'])('refuses %j', (text) => {
    expect(isQuantity(text)).toBe(false);
  });

  it('says why a text is none, as the server does', () => {
    expect(parseQuantity('100Mm')).toBe("unable to parse quantity's suffix");
    expect(parseQuantity('100MB')).toMatch(/^quantities must match the regular expression/);
  });

  it('rounds up to what is asked for', () => {
    expect(quantityToMilli('100u')).toBe(1);
    expect(quantityToNumber('1100m')).toBe(2);
    expect(resourceValue('cpu', '1.5')).toBe(1500);
    expect(resourceValue('memory', '1Ki')).toBe(1024);
  });

  it('compares and adds across suffixes', () => {
    expect(compareQuantity('1Gi', '1024Mi')).toBe(0);
    expect(compareQuantity('1G', '1Gi')).toBe(-1);
    expect(addQuantity('100m', '1')).toBe('1100m');
    expect(addQuantity('64Mi', '64Mi')).toBe('128Mi');
  });
});
