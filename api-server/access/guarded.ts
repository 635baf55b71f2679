import type { AnyOf } from '../../model/access/entity-needs.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { demand, demandOn, type EntityNeed } from './permission.ts';

/** A use case as a door calls it: who asks is the first thing that it is told. */
export type UseCase<Args extends readonly unknown[], Result> = (request: CatalogRequest, ...args: Args) => Result;

/**
 * A use case that is carried out only for those who hold one of the privileges.
 * @param anyOf the privileges, or which they are by who asks for what.
 */
export function guarded<Args extends readonly unknown[], Result>(
  anyOf: AnyOf | UseCase<Args, AnyOf>,
  useCase: UseCase<Args, Result | Promise<Result>>,
): UseCase<Args, Promise<Result>> {
  return async (request, ...args) => {
    await demand(request, typeof anyOf === 'function' ? anyOf(request, ...args) : anyOf);
    return useCase(request, ...args);
  };
}

/** The same where the privileges are held on entities. @param needsOf what has to be held, by what is asked. */
export function guardedOn<Args extends readonly unknown[], Result>(
  needsOf: (...args: Args) => readonly EntityNeed[],
  useCase: UseCase<Args, Result | Promise<Result>>,
): UseCase<Args, Promise<Result>> {
  return async (request, ...args) => {
    await demandOn(request, needsOf(...args));
    return useCase(request, ...args);
  };
}
