import { announce } from './announcer.tsx';
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
  const more = async () => {
    await pages.fetchNextPage();
    announce('More is listed.');
  };
  return (
    <div className="row">
      <Button isPending={pages.isFetchingNextPage} onPress={() => void more()}>
        Show more
      </Button>
    </div>
  );
}

/** Likewise, of a list that is known whole and shown in parts. */
export function shownInParts(length: number, shown: number, show: (next: number) => void, part: number): Pages {
  return { hasNextPage: length > shown, isFetchingNextPage: false, fetchNextPage: () => show(shown + part) };
}
