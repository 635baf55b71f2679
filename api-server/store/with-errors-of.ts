/**
 * The same object, whose methods reject with what `translate` makes of an error.
 * @param target all of its methods return promises.
 */
export function withErrorsOf<T extends object>(target: T, translate: (error: unknown) => unknown): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        try {
          return await member.apply(target, args);
        } catch (error) {
          throw translate(error);
        }
      };
    },
  });
}
