import type { ReactNode } from 'react';
import './notice.css';

interface Props {
  readonly kind: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children?: ReactNode;
  /** Read out when it appears. */
  readonly isAlert?: boolean;
}

export function Notice({ kind, title, children, isAlert = false }: Props) {
  return (
    <div className={`notice notice-${kind}`} {...(isAlert ? { role: 'alert' } : {})}>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  );
}
