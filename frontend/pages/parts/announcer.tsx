import { useEffect, useSyncExternalStore } from 'react';
import './announcer.css';

let message: { readonly text: string } | undefined;
const listeners = new Set<() => void>();

/** Says what has come of something, in the corner and to screen readers. */
export function announce(text: string): void {
  say({ text });
}

/** The live region. It is there from the beginning: what appears together with its text is not read out. */
export function Announcer() {
  const said = useSyncExternalStore(listen, () => message);
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => say(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div className="announcer" role="status">
      {said !== undefined && <p>{said.text}</p>}
    </div>
  );
}

/** In ms. */
const SHOWN_FOR = 8_000;

function say(next: typeof message): void {
  message = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
