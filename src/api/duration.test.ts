import { expect, it } from 'vitest';
import { formatDuration, humanDuration, parseDuration } from './duration.ts';

it.each([
  [0, '0s'], [999, '0s'], [59_000, '59s'], [119_000, '119s'], [120_000, '2m'], [125_000, '2m5s'], [599_000, '9m59s'], [600_000, '10m'], [10_799_000, '179m'], [10_800_000, '3h'], [11_100_000, '3h5m'],
  [28_800_000, '8h'], [172_799_000, '47h'], [172_800_000, '2d'], [187_200_000, '2d4h'], [691_200_000, '8d'], [63_072_000_000, '2y'], [-1_000, '0s'], [-2_000, '<invalid>'],
])('an age of %d ms reads %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

it.each([[80_000, '1m20s'], [3_600_000, '1h0m0s'], [1_500, '1.5s'], [10, '10ms'], [0, '0s'], [-90_000, '-1m30s']])('Go prints %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
  expect(parseDuration(text)).toBe(ms);
});

it('is strict about units', () => {
  expect(parseDuration('1.5h')).toBe(5_400_000);
  expect(parseDuration('10')).toBeUndefined();
  expect(parseDuration('1d')).toBeUndefined();
});
