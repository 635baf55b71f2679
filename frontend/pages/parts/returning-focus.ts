import { useEffect, useRef } from 'react';

/**
 * Brings the focus back to where it came from, when what was opened there has taken that place and is closed again: the
 * element is another one then, known by its key.
 */
export function useReturningFocus(): {
  readonly refOf: (key: string) => (element: HTMLElement | null) => void;
  readonly returnTo: (key: string) => void;
} {
  const elements = useRef(new Map<string, HTMLElement>());
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const element = wanted.current === undefined ? undefined : elements.current.get(wanted.current);
    if (element === undefined) return;
    wanted.current = undefined;
    element.focus();
  });
  return {
    refOf: (key) => (element) => {
      if (element === null) elements.current.delete(key);
      else elements.current.set(key, element);
    },
    returnTo: (key) => {
      wanted.current = key;
    },
  };
}
