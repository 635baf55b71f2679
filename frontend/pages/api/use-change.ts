import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from '../parts/announcer.tsx';

interface Change<Input> {
  readonly change: (input: Input) => Promise<unknown>;
  /** What is read again afterwards. */
  readonly changes: readonly QueryKey[];
  /** Said when it is done. */
  readonly done: (input: Input) => string;
  readonly onDone?: (() => void) | undefined;
}

/** Changes something on the server, reads again what that has changed, and says so. */
export function useChange<Input = void>({ change, changes, done, onDone }: Change<Input>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (_answer, input) => {
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      announce(done(input));
      onDone?.();
    },
  });
}
