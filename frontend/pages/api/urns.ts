/** The name without `urn:li:corpuser:` and the like. */
export function nameOfUrn(urn: string): string {
  return urn.replace(/^urn:li:[^:]+:/u, '');
}

/** Of what a person types: a URN stays, and a name becomes that of a user; nothing stays nothing. */
export function userUrnOf(typed: string): string {
  return completeUrn('corpuser', typed);
}

export function groupUrnOf(typed: string): string {
  return completeUrn('corpGroup', typed);
}

function completeUrn(entityType: string, typed: string): string {
  return typed === '' || typed.startsWith('urn:li:') ? typed : `urn:li:${entityType}:${typed}`;
}
