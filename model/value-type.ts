/** The five value types of a structured property, in the short form that all of Proplane uses inside. */
export const VALUE_TYPES = ['string', 'number', 'date', 'rich_text', 'urn'] as const;

export type ValueType = (typeof VALUE_TYPES)[number];
