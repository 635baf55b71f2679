import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type Fragments = GraphQLResolveInfo['fragments'];

/**
 * Names of the fields that a document asks for at the end of a path below the field that is being resolved: under all
 * aliases, in all fragments, and whatever `@skip` and `@include` say. Empty where the path is not asked for.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo, path: readonly string[]): Set<string> {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const step of path) nodes = fieldsBelow(nodes, fragments).filter(({ name }) => name.value === step);
  return new Set(fieldsBelow(nodes, fragments).map(({ name }) => name.value));
}

/** Each fragment counts once, however often it is spread. */
function fieldsBelow(nodes: readonly FieldNode[], fragments: Fragments): FieldNode[] {
  const seen = new Set<string>();
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      const { value } = selection.name;
      const fragment = seen.has(value) ? undefined : fragments[value];
      seen.add(value);
      return fragment === undefined ? [] : fieldsOf(fragment.selectionSet);
    });
  return nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsOf(selectionSet)));
}
