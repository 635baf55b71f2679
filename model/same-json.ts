/**
 * Whether two JSON values are equal, in whatever order the members of their objects stand; a member that is undefined is
 * none. It ends at the first difference.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((element, index) => sameJson(element, other[index]));
  }
  return (
    isWithin(one, other, sameJson) &&
    isWithin(other, one, (mine, theirs) => (mine === undefined) === (theirs === undefined))
  );
}

type Members = Readonly<Record<string, unknown>>;

function isWithin(one: object, other: object, areSame: (one: unknown, other: unknown) => boolean): boolean {
  for (const [name, value] of Object.entries(one)) {
    if (!areSame(value, Object.hasOwn(other, name) ? (other as Members)[name] : undefined)) return false;
  }
  return true;
}
