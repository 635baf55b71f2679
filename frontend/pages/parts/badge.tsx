import type { ReactNode } from 'react';
import './badge.css';

interface Props {
  readonly kind?: 'plain' | 'accent' | 'good' | 'warn' | 'bad';
  readonly children: ReactNode;
}

/** A word about a thing, such as its state. */
export function Badge({ kind = 'plain', children }: Props) {
  return <span className={`badge badge-${kind}`}>{children}</span>;
}
