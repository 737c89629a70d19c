export function compare(pathA: string, pathB: string, options?: object): unknown;
