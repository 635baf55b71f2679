import { Button } from './button.tsx';

/** What `useInfiniteQuery` says of its next page. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** The way to what has not been listed yet; nothing where all is. */
export function MoreButton({ pages }: { readonly pages: Pages }) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="row">
      <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
