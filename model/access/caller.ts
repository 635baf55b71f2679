/** Who asks, as whoever decides about permissions sees it. */
export interface Caller {
  /** URN of a user: of a person, of a ServiceAccount, or of one of our own parts. */
  readonly actor: string;
  /** URNs. */
  readonly groups: readonly string[];
  /** Names of roles. */
  readonly roles: readonly string[];
  /** Nothing is refused: access control is off, or one of our own parts asks. */
  readonly unlimited?: boolean;
}
