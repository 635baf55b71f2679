/** Whether objects and lists lie deeper inside one another than `limit`. Does not recurse, whatever it is given. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((each) => typeof each === 'object' && each !== null) as object[];
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((each) => Object.values(each));
  }
  return false;
}
