/** Helpers that programs call by name, most of them of an earlier era. */
import { createElement, type ElementType, type ReactNode } from 'react';
import { baseUrl } from './net/page.ts';
import { remote, spawn } from './wire.ts';

/** A walk by the walker's name: the same as the `spawn` expression. */
export function svcSpawn(walker: string, nodeId = '', fields: Record<string, unknown> = {}): Promise<any> {
  return spawn(walker, fields, nodeId === '' ? undefined : nodeId);
}

export function callFunction(name: string, fields: Record<string, unknown> = {}): Promise<any> {
  return remote(name, { params: [] }).$kw([], fields);
}

export function svcJsx(
  tag: ElementType,
  props: Record<string, unknown> | null,
  children?: ReactNode | readonly ReactNode[],
): ReactNode {
  return Array.isArray(children)
    ? createElement(tag, props, ...children)
    : createElement(tag, props, children as ReactNode);
}

export function getApiBaseUrl(): string {
  return baseUrl();
}

export function getLocalStorage(name: string): string | null {
  return globalThis.localStorage.getItem(name);
}

export function setLocalStorage(name: string, value: string): void {
  globalThis.localStorage.setItem(name, value);
}

export function removeLocalStorage(name: string): void {
  globalThis.localStorage.removeItem(name);
}
