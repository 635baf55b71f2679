/**
 * The query-string syntax of the v3 listing (`query=`), parsed. One node a kind; every node knows the columns it came
 * from, so that a later check (an unknown field, a number expected) can point at the place.
 */

/** Zero-based, end-exclusive positions in the query text, counted in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A run of literal text, `*` (any run of characters, also none) or `?` (exactly one character). */
export type PatternPart = { readonly literal: string } | '*' | '?';

/** The name before the colon, escapes resolved. */
export interface FieldName {
  readonly name: string;
  readonly span: Span;
}

export interface RangeBound {
  readonly value: string;
  readonly inclusive: boolean;
  readonly span: Span;
}

export type QueryNode =
  /** `*`, `*:*` or nothing at all. */
  | { readonly kind: 'everything'; readonly span: Span }
  /** `field:value`, `field:"value"` or a bare `value`. */
  | {
      readonly kind: 'term';
      readonly field?: FieldName;
      readonly text: string;
      readonly quoted: boolean;
      readonly span: Span;
    }
  /** `field:va*e` or a bare `va?ue`; there is at least one wildcard in it. */
  | {
      readonly kind: 'wildcard';
      readonly field?: FieldName;
      readonly pattern: readonly PatternPart[];
      readonly span: Span;
    }
  /** `field:>5`, `field:[a TO b}`; `*` as a bound is an absent one. */
  | {
      readonly kind: 'range';
      readonly field?: FieldName;
      readonly lower?: RangeBound;
      readonly upper?: RangeBound;
      readonly span: Span;
    }
  /** `_exists_:field` and `field:*`. */
  | { readonly kind: 'exists'; readonly field: FieldName; readonly span: Span }
  | { readonly kind: 'and'; readonly operands: readonly QueryNode[]; readonly span: Span }
  | { readonly kind: 'or'; readonly operands: readonly QueryNode[]; readonly span: Span }
  | { readonly kind: 'not'; readonly operand: QueryNode; readonly span: Span };
