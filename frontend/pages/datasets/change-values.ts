import type { TypedValue } from '../../../model/typed-value.ts';
import { requestGraphql } from '../api/graphql.ts';

/**
 * Puts values of one property on an entity, in place of those that it has; its other properties stay.
 * @throws ApiError with a violation for each rule that they break
 */
export async function upsertValues(
  assetUrn: string,
  propertyUrn: string,
  values: readonly TypedValue[],
): Promise<void> {
  await requestGraphql(
    'mutation upsert($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) { properties { associatedUrn } } }',
    {
      input: {
        assetUrn,
        structuredPropertyInputParams: [
          {
            structuredPropertyUrn: propertyUrn,
            values: values.map((value) =>
              'double' in value ? { numberValue: value.double } : { stringValue: value.string },
            ),
          },
        ],
      },
    },
  );
}

export async function removeValues(assetUrn: string, propertyUrn: string): Promise<void> {
  await requestGraphql(
    'mutation remove($input: RemoveStructuredPropertiesInput!) { removeStructuredProperties(input: $input) { properties { associatedUrn } } }',
    { input: { assetUrn, structuredPropertyUrns: [propertyUrn] } },
  );
}
