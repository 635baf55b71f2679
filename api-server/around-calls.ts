/**
 * The same object, each of whose calls goes through `around`.
 * @param target all of its methods return promises; what is no method stays as it is now.
 * @param around gets the name of a method and how to call it.
 */
export function aroundCalls<T extends object>(
  target: T,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): T {
  const wrapped = new Map<string, unknown>();
  for (let layer: object = target; layer !== Object.prototype; layer = Object.getPrototypeOf(layer)) {
    for (const name of Object.getOwnPropertyNames(layer)) {
      if (name === 'constructor' || wrapped.has(name)) continue;
      const member: unknown = Reflect.get(target, name);
      const isMethod = typeof member === 'function';
      wrapped.set(
        name,
        isMethod ? (...given: unknown[]) => around(name, async () => member.apply(target, given)) : member,
      );
    }
  }
  return Object.fromEntries(wrapped) as T;
}
