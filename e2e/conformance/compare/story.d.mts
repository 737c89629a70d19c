export function differences(result: unknown): string;
