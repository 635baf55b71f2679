import { Link } from '@tanstack/react-router';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';

/** The resource that something belongs to. */
export function OwnerLink({ owner }: { readonly owner: OwnerMark }) {
  const { source, kind, namespace, name } = owner;
  return (
    <Link to="/resources/$source/$kind/$namespace/$name" params={{ source, kind, namespace, name }} title={kind}>
      {namespace}/{name}
    </Link>
  );
}
