/** What conditions of all kinds share. */
export interface ConditionLike {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export function findCondition<C extends ConditionLike>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly ConditionLike[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * The list with this condition set: a changed status takes the given lastTransitionTime, an unchanged one keeps its old.
 * The same list comes back when nothing differs.
 */
export function setCondition<C extends ConditionLike>(conditions: readonly C[] | undefined, next: C): C[] {
  const list = (conditions ?? []) as C[];
  const index = list.findIndex((condition) => condition.type === next.type);
  const old = list[index];
  if (old === undefined) return [...list, next];
  const merged = old.status === next.status && old.lastTransitionTime !== undefined ? { ...next, lastTransitionTime: old.lastTransitionTime } : next;
  const keys = new Set([...Object.keys(old), ...Object.keys(merged)]);
  if ([...keys].every((key) => old[key as keyof C] === merged[key as keyof C])) return list;
  return list.map((condition, i) => (i === index ? merged : condition));
}

export function removeCondition<C extends ConditionLike>(conditions: readonly C[] | undefined, type: string): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
