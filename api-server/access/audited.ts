import type { CatalogRequest } from '../catalog/request.ts';
import type { UseCase } from './guarded.ts';

/** A use case that the audit log tells of when it is done. What is refused is noted where it is refused. */
export function audited<Args extends readonly unknown[], Result>(
  action: string,
  useCase: UseCase<Args, Promise<Result>>,
  subjectOf: (result: Result, ...args: Args) => string,
): UseCase<Args, Promise<Result>> {
  return async (request, ...args) => {
    const result = await useCase(request, ...args);
    noteDone(request, action, subjectOf(result, ...args));
    return result;
  };
}

export function noteDone(request: CatalogRequest, action: string, subject: string): void {
  const { actor, address, parts } = request;
  parts.auth.audit.note({ actor, action, subject, outcome: 'ok', ...(address === undefined ? {} : { address }) });
}
