import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { KEPT_DOCUMENT_BYTES } from './limits.ts';

/** What a token costs with all that is made of it, measured: a document of 10,000 takes 5 MB. */
const BYTES_PER_TOKEN = 500;
const BYTES_PER_CHARACTER = 2;

/** Documents that were found right, by their texts, so that they are read once: those asked for lately, up to so many bytes. */
export class KnownDocuments {
  readonly #documents = new LRUCache<string, DocumentNode>({
    maxSize: KEPT_DOCUMENT_BYTES,
    sizeCalculation: (document, text) => BYTES_PER_CHARACTER * text.length + BYTES_PER_TOKEN * tokensOf(document),
  });

  find(text: string): DocumentNode | undefined {
    return this.#documents.get(text);
  }

  keep(text: string, document: DocumentNode): void {
    this.#documents.set(text, document);
  }

  /** Bytes of those that are kept, more or less. */
  get bytes(): number {
    return this.#documents.calculatedSize;
  }
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken.next; token; token = token.next) tokens += 1;
  return tokens;
}
