import { Link } from '@tanstack/react-router';
import { nameEntity, typeInWords } from './named-entity.ts';

interface Props {
  readonly urn: string;
  /** Says platform and environment too. */
  readonly isLong?: boolean;
}

/** An entity by its name, as a link where there is a page for it. */
export function EntityLink({ urn, isLong = false }: Props) {
  const { type, name, platform, environment, parent } = nameEntity(urn);
  const about = [platform, environment].filter((part) => part !== undefined).join(' · ');
  return (
    <span title={urn}>
      {linkTo(type, urn, name, parent)}
      {isLong && about !== '' && <span className="quiet"> {about}</span>}
    </span>
  );
}

/** The type of an entity, for people. */
export function typeOfUrn(urn: string): string {
  return typeInWords(nameEntity(urn).type);
}

function linkTo(type: string, urn: string, name: string, parent: string | undefined) {
  if (type === 'dataset') {
    return (
      <Link to="/datasets/$urn" params={{ urn }}>
        {name}
      </Link>
    );
  }
  if (type === 'structuredProperty') {
    return (
      <Link to="/properties/$name" params={{ name }}>
        {name}
      </Link>
    );
  }
  if (type === 'schemaField' && parent?.startsWith('urn:li:dataset:')) {
    return (
      <>
        <Link to="/datasets/$urn" params={{ urn: parent }}>
          {nameEntity(parent).name}
        </Link>{' '}
        › <code>{name}</code>
      </>
    );
  }
  return type === '' ? <code>{name}</code> : name;
}
