const unit: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** '1.5', '2m', '1h' in seconds; undefined: none. */
export function parseSeconds(text: string): number | undefined {
  const match = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (unit[match[2] ?? ''] ?? 1);
}

/** '250M', '1g', '64K', '1MiB' in bytes. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+)([kKmMgGbB]?)(?:i?[bB])?$/.exec(text);
  if (match === null) return undefined;
  const factor: Readonly<Record<string, number>> = { k: 1024, m: 1_048_576, g: 1_073_741_824, b: 1 };
  return Number(match[1]) * (factor[(match[2] ?? '').toLowerCase()] ?? 1);
}
