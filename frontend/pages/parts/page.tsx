import { Fragment, type ReactNode, useLayoutEffect } from 'react';
import './page.css';

interface Props {
  readonly title: string;
  /** Above the title: links to what the page is a part of. */
  readonly above?: readonly ReactNode[];
  readonly description?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page in the shell: its title, also the window's, and what is below. */
export function Page({ title, above = [], description, actions, children }: Props) {
  useDocumentTitle(title);
  return (
    <div className="page">
      <header className="page-header">
        {above.length > 0 && (
          <nav aria-label="Breadcrumbs" className="page-above">
            {above.map((link, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a place in the list is what a link is
              <Fragment key={at}>
                {link} <span aria-hidden="true">›</span>{' '}
              </Fragment>
            ))}
          </nav>
        )}
        <div className="page-title">
          <h1>{title}</h1>
          {actions !== undefined && <div className="row">{actions}</div>}
        </div>
        {description !== undefined && <p className="quiet">{description}</p>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with a heading and a frame. */
export function Section({ title, actions, children }: Pick<Props, 'title' | 'actions' | 'children'>) {
  return (
    <section className="section" aria-label={title}>
      <div className="section-title">
        <h2>{title}</h2>
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function useDocumentTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} · Proplane`;
  }, [title]);
}
