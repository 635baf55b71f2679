import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text; says so in place, where screen readers hear it too. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Copy it by hand: the browser did not let us'>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('Copy it by hand: the browser did not let us');
    }
  };
  return (
    <span className="row">
      <Button onPress={() => void copy()}>{label}</Button>
      <span role="status">{outcome}</span>
    </span>
  );
}
