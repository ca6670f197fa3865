const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Attributes and events of host elements that React knows, as its types declare them. */
export const hostEvents: readonly string[] = words(`
  onAbort onAnimationEnd onAnimationIteration onAnimationStart onAuxClick onBeforeInput onBeforeToggle onBlur
  onCanPlay onCanPlayThrough onCancel onChange onClick onClose onCompositionEnd onCompositionStart onCompositionUpdate
  onContextMenu onCopy onCut onDoubleClick onDrag onDragEnd onDragEnter onDragExit onDragLeave onDragOver onDragStart
  onDrop onDurationChange onEmptied onEncrypted onEnded onError onFocus onInput onInvalid onKeyDown onKeyPress onKeyUp
  onLoad onLoadStart onLoadedData onLoadedMetadata onMouseDown onMouseEnter onMouseLeave onMouseMove onMouseOut
  onMouseOver onMouseUp onPaste onPause onPlay onPlaying onPointerCancel onPointerDown onPointerEnter onPointerLeave
  onPointerMove onPointerOut onPointerOver onPointerUp onProgress onRateChange onReset onResize onScroll onScrollEnd
  onSeeked onSeeking onSelect onStalled onSubmit onSuspend onTimeUpdate onToggle onTouchCancel onTouchEnd onTouchMove
  onTouchStart onTransitionCancel onTransitionEnd onTransitionRun onTransitionStart onVolumeChange onWaiting onWheel
`);

export const hostAttributes: readonly string[] = words(`
  abbr about accentHeight accept acceptCharset accessKey accumulate action additive align alignmentBaseline allow
  allowFullScreen allowReorder allowTransparency allowpopups alphabetic alt amplitude arabicForm as ascent async
  attributeName attributeType autoCapitalize autoComplete autoCorrect autoFocus autoPlay autoReverse autoSave autosize
  azimuth baseFrequency baseProfile baselineShift bbox begin bgcolor bias blinkfeatures blocking border by calcMode
  capHeight capture cellPadding cellSpacing challenge charSet checked children cite classID className clip clipPath
  clipPathUnits clipRule closedby colSpan color colorInterpolation colorInterpolationFilters colorProfile
  colorRendering cols content contentEditable contentScriptType contentStyleType contextMenu controls controlsList
  coords crossOrigin cursor cx cy d dangerouslySetInnerHTML data datatype dateTime decelerate decoding default
  defaultChecked defaultValue defer descent diffuseConstant dir dirName direction disablePictureInPicture
  disableRemotePlayback disableblinkfeatures disabled disableguestresize disablewebsecurity display divisor
  dominantBaseline download draggable dur dx dy edgeMode elevation enableBackground encType end enterKeyHint exponent
  exportparts externalResourcesRequired fetchPriority fill fillOpacity fillRule filter filterRes filterUnits
  floodColor floodOpacity focusable fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant fontWeight
  form formAction formEncType formMethod formNoValidate formTarget format fr frame frameBorder from fx fy g1 g2
  glyphName glyphOrientationHorizontal glyphOrientationVertical glyphRef gradientTransform gradientUnits guestinstance
  hanging headers height hidden high horizAdvX horizOriginX href hrefLang htmlFor httpEquiv httpreferrer id
  ideographic imageRendering imageSizes imageSrcSet in in2 inert inlist inputMode integrity intercept is itemID
  itemProp itemRef itemScope itemType k k1 k2 k3 k4 kernelMatrix kernelUnitLength kerning key keyParams keyPoints
  keySplines keyTimes keyType kind label lang lengthAdjust letterSpacing lightingColor limitingConeAngle list loading
  local loop low manifest marginHeight marginWidth markerEnd markerHeight markerMid markerStart markerUnits
  markerWidth mask maskContentUnits maskUnits mathematical max maxLength media mediaGroup method min minLength mode
  multiple muted name noModule noValidate nodeintegration nonce numOctaves offset opacity open operator optimum order
  orient orientation origin overflow overlinePosition overlineThickness paintOrder panose1 part partition path
  pathLength pattern patternContentUnits patternTransform patternUnits ping placeholder playsInline plugins
  pointerEvents points pointsAtX pointsAtY pointsAtZ popover popoverTarget popoverTargetAction poster precedence
  prefix preload preserveAlpha preserveAspectRatio primitiveUnits property props r radioGroup radius readOnly ref refX
  refY referrerPolicy rel renderingIntent repeatCount repeatDur required requiredExtensions requiredFeatures resource
  restart result results rev reversed role rotate rowSpan rows rules rx ry sandbox scale scope scoped scrolling
  seamless security seed selected shape shapeRendering size sizes slope slot spacing span specularConstant
  specularExponent speed spellCheck spreadMethod src srcDoc srcLang srcSet start startOffset stdDeviation stemh stemv
  step stitchTiles stopColor stopOpacity strikethroughPosition strikethroughThickness string stroke strokeDasharray
  strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth style summary
  suppressContentEditableWarning suppressHydrationWarning surfaceScale systemLanguage tabIndex tableValues target
  targetX targetY textAnchor textDecoration textLength textRendering title to transform translate type typeof u1 u2
  underlinePosition underlineThickness unicode unicodeBidi unicodeRange unitsPerEm unselectable useMap useragent
  vAlphabetic vHanging vIdeographic vMathematical valign value values vectorEffect version vertAdvY vertOriginX
  vertOriginY viewBox viewTarget visibility vocab webpreferences width widths wmode wordSpacing wrap writingMode x x1
  x2 xChannelSelector xHeight xlinkActuate xlinkArcrole xlinkHref xlinkRole xlinkShow xlinkTitle xlinkType xmlBase
  xmlLang xmlSpace xmlns xmlnsXlink y y1 y2 yChannelSelector z zoomAndPan
`);

/** Elements of HTML and SVG. */
export const hostElements: ReadonlySet<string> = new Set(
  words(`
  a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code
  col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form
  frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map
  mark marquee math menu menuitem meta meter nav noscript object ol optgroup option output p param picture portal pre
  progress q rp rt ruby s samp script search section select slot small source span strong style sub summary sup table
  tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr
  animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path
  pattern polygon polyline radialGradient rect set stop svg switch symbol text textPath tspan use view
`),
);
