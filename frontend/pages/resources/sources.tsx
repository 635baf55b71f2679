import { useQuery } from '@tanstack/react-query';
import { Badge } from '../parts/badge.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { sourcesQuery } from './resources-query.ts';

/** Who works on each source of a folder, and where its manifests are. */
export function Sources() {
  const { data: sources = [] } = useQuery(sourcesQuery);
  return sources.map(({ name, holder, place }) =>
    holder === undefined ? (
      <Notice key={name} kind="warn">
        <span>
          Nobody works on the source <strong>{name}</strong>
          {place !== undefined && ` (${place.manifests.join(', ')})`}: what is said here may be old.
        </span>
      </Notice>
    ) : (
      <p key={name} className="row">
        <Badge kind="good">{name}</Badge>
        <span className="quiet">
          {holder.place.manifests.join(', ')} on {holder.place.host}, since <Moment at={holder.since} />
        </span>
      </p>
    ),
  );
}
