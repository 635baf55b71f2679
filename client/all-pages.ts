/** All that the pages of a list have, one page after the other. A server before 0.2 sends everything as the first. */
export async function allPages<Page extends { readonly next?: string }, One>(
  read: (after: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly One[],
): Promise<One[]> {
  const pages: (readonly One[])[] = [];
  let after: string | undefined;
  do {
    const page = await read(after);
    pages.push(itemsOf(page));
    after = page.next;
  } while (after !== undefined);
  return pages.flat();
}
