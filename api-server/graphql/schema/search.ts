import { MAX_FACET_VALUES } from '../../catalog/find/aggregate-entities.ts';
import { FILTER_OPERATORS } from '../../catalog/find/resolve-filters.ts';
import { MAX_RESULTS } from '../limits.ts';

export const SEARCH_SCHEMA = `
extend type Query {
  "Entities by URN, a page from a start on."
  searchAcrossEntities(input: SearchAcrossEntitiesInput!): SearchResults
  "Entities by URN, page after page, as many as there are."
  scrollAcrossEntities(input: ScrollAcrossEntitiesInput!): ScrollResults
  "How many entities have each value of a field."
  aggregateAcrossEntities(input: AggregateAcrossEntitiesInput!): AggregateResults
}

input SearchAcrossEntitiesInput {
  "Null or empty: all that people search for; not schema fields, structured properties, platforms and types."
  types: [EntityType!]
  "\`*\` or blank: everything. \`/q …\`: a query string. Anything else: words of names and descriptions."
  query: String!
  start: Int = 0
  "\`start\` and \`count\` together are at most ${MAX_RESULTS}."
  count: Int = 10
  "All of them have to hold."
  filters: [FacetFilterInput!] @deprecated(reason: "use orFilters")
  "One of them has to hold."
  orFilters: [AndFilterInput!]
  "There are no views: only null."
  viewUrn: String
  searchFlags: SearchFlags
  sortInput: SearchSortInput
}

input ScrollAcrossEntitiesInput {
  types: [EntityType!]
  query: String!
  "\`nextScrollId\` of the page before."
  scrollId: String
  "Pages go by URN and keep nothing alive."
  keepAlive: String = "5m"
  "More than ${MAX_RESULTS} is taken as ${MAX_RESULTS}."
  count: Int = 10
  orFilters: [AndFilterInput!]
  viewUrn: String
  searchFlags: SearchFlags
  sortInput: SearchSortInput
}

input AggregateAcrossEntitiesInput {
  types: [EntityType!]
  query: String!
  "Null or empty: type, platform, origin, and the properties that are marked with \`showInSearchFilters\`."
  facets: [String]
  orFilters: [AndFilterInput!]
  viewUrn: String
  searchFlags: SearchFlags
}

"All of them have to hold; none: no filter."
input AndFilterInput { and: [FacetFilterInput!] }

input FacetFilterInput {
  "A field of the entity, or \`structuredProperties.<qualified name>\`."
  field: String!
  value: String @deprecated(reason: "use values")
  "One of them has to meet the condition. Ranges look at the first only, EXISTS at none."
  values: [String!]
  "The exact complement."
  negated: Boolean = false
  condition: FilterOperator = EQUAL
}

enum FilterOperator { ${FILTER_OPERATORS.join(' ')} }

input SearchFlags {
  "Values of a facet, 1 to ${MAX_FACET_VALUES}."
  maxAggValues: Int = 20
  "Soft-deleted entities as well."
  includeSoftDeleted: Boolean
  "No facets beside the search results."
  skipAggregates: Boolean
  "Properties that are marked with \`showInSearchFilters\` among the facets beside search results."
  includeStructuredPropertyFacets: Boolean
  "Without effect, as all that follow."
  skipCache: Boolean
  skipHighlighting: Boolean
  fulltext: Boolean
  getSuggestions: Boolean
  includeRestricted: Boolean
  filterNonLatestVersions: Boolean
}

input SearchSortInput {
  sortCriterion: SortCriterion
  sortCriteria: [SortCriterion!]
}

input SortCriterion {
  "Only \`urn\`."
  field: String!
  sortOrder: SortOrder! = ASCENDING
}

enum SortOrder { ASCENDING DESCENDING }

type SearchResults {
  start: Int!
  "Results on this page."
  count: Int!
  total: Int!
  searchResults: [SearchResult!]!
  facets: [FacetMetadata!]
  suggestions: [SearchSuggestion!]
}

type ScrollResults {
  "Null on the last page."
  nextScrollId: String
  count: Int!
  total: Int!
  searchResults: [SearchResult!]!
  facets: [FacetMetadata!]
}

type AggregateResults { facets: [FacetMetadata!] }

type SearchResult {
  entity: Entity!
  "Empty."
  matchedFields: [MatchedField!]!
  "Empty."
  insights: [SearchInsight!]
  "Empty."
  extraProperties: [ExtraProperty!]
}

type MatchedField { name: String! value: String! entity: Entity }
type SearchInsight { text: String! icon: String }
type ExtraProperty { name: String! value: String! }
type SearchSuggestion { text: String! score: Float frequency: Int }

type FacetMetadata {
  "As it was asked for."
  field: String!
  displayName: String
  "The structured property, when the field is one."
  entity: Entity
  "Greatest counts first, equal ones by value."
  aggregations: [AggregationMetadata!]!
}

type AggregationMetadata {
  "Decimal text of a number, YYYY-MM-DD of a date; a string whole."
  value: String!
  "Entities that have the value."
  count: Int!
  "The entity that the value names, if it is a URN and the entity exists."
  entity: Entity
  displayName: String
}
`;
