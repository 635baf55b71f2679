import type { FastifyRequest } from 'fastify';

export interface PlainPage {
  readonly title: string;
  readonly text: readonly string[];
  readonly link?: { readonly to: string; readonly text: string };
}

/** A page that needs nothing but itself: no script, no style, so that the strictest policy lets it be shown. */
export function plainPage({ title, text, link }: PlainPage): string {
  const paragraphs = text.map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  const last = link === undefined ? [] : [`<p><a href="${escaped(link.to)}">${escaped(link.text)}</a></p>`];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} - Proplane</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${[...paragraphs, ...last].join('\n')}
</main>
</body>
</html>
`;
}

/** Whether it is a browser that goes to an address; what is no browser, or a script, does not ask for HTML by name. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/iu.test(headers.accept ?? '');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}
