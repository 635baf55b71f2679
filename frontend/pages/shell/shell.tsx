import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Me } from '../../../model/wire/access.ts';
import { Announcer } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { navigationFor } from './navigation.ts';
import { UserMenu } from './user-menu.tsx';
import './shell.css';

/** What is around every page but the log-in page. */
export function Shell({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const navigation = useId();
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useFocusOnNewPage(path, main, () => setOpen(false));
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="shell-header">
        <span className="shell-toggle">
          <Button aria-expanded={isOpen} aria-controls={navigation} onPress={() => setOpen(!isOpen)}>
            Menu
          </Button>
        </span>
        <Link to="/" className="brand">
          Proplane
        </Link>
        <UserMenu me={me} />
      </header>
      <nav id={navigation} className="shell-navigation" aria-label="Main" data-open={isOpen || undefined}>
        {navigationFor(me).map(({ title, entries }) => (
          <div key={title}>
            <h2 id={`${navigation}-${title}`}>{title}</h2>
            <ul className="shell-entries" aria-labelledby={`${navigation}-${title}`}>
              {entries.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ exact: to === '/' }}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="main" className="shell-main" ref={main} tabIndex={-1}>
        {!me.authEnabled && (
          <Notice kind="warn">
            <span>
              <strong>Authentication is off</strong>: everybody who reaches this server may do everything.
            </span>
          </Notice>
        )}
        {children}
      </main>
      <Announcer />
    </div>
  );
}

/** Where another page has been opened, its beginning is what is read next. */
function useFocusOnNewPage(path: string, main: React.RefObject<HTMLElement | null>, onNewPage: () => void): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    onNewPage();
    main.current?.focus();
  });
}
