#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A checkout has the sources, and what it may have built once can be older; the package has only what was built.
const sources = new URL('main.ts', import.meta.url);
await import(existsSync(sources) ? sources : new URL('../dist/cli/main.js', import.meta.url));
