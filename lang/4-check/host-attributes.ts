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

/** Properties of `style`, as browsers and React spell them, without those of one browser alone. */
export const styleProperties: readonly string[] = words(`
  accentColor alignContent alignItems alignSelf alignTracks alignmentBaseline all anchorName anchorScope animation
  animationComposition animationDelay animationDirection animationDuration animationFillMode animationIterationCount
  animationName animationPlayState animationRange animationRangeEnd animationRangeStart animationTimeline
  animationTimingFunction animationTrigger appearance aspectRatio backdropFilter backfaceVisibility background
  backgroundAttachment backgroundBlendMode backgroundClip backgroundColor backgroundImage backgroundOrigin
  backgroundPosition backgroundPositionX backgroundPositionY backgroundRepeat backgroundSize baselineShift
  baselineSource blockSize border borderBlock borderBlockColor borderBlockEnd borderBlockEndColor
  borderBlockEndStyle borderBlockEndWidth borderBlockStart borderBlockStartColor borderBlockStartStyle
  borderBlockStartWidth borderBlockStyle borderBlockWidth borderBottom borderBottomColor borderBottomLeftRadius
  borderBottomRightRadius borderBottomStyle borderBottomWidth borderCollapse borderColor borderEndEndRadius
  borderEndStartRadius borderImage borderImageOutset borderImageRepeat borderImageSlice borderImageSource
  borderImageWidth borderInline borderInlineColor borderInlineEnd borderInlineEndColor borderInlineEndStyle
  borderInlineEndWidth borderInlineStart borderInlineStartColor borderInlineStartStyle borderInlineStartWidth
  borderInlineStyle borderInlineWidth borderLeft borderLeftColor borderLeftStyle borderLeftWidth borderRadius
  borderRight borderRightColor borderRightStyle borderRightWidth borderShape borderSpacing borderStartEndRadius
  borderStartStartRadius borderStyle borderTop borderTopColor borderTopLeftRadius borderTopRightRadius
  borderTopStyle borderTopWidth borderWidth bottom boxAlign boxDecorationBreak boxDirection boxFlex boxFlexGroup
  boxLines boxOrdinalGroup boxOrient boxPack boxShadow boxSizing breakAfter breakBefore breakInside captionSide
  caret caretColor caretShape clear clip clipPath clipRule color colorAdjust colorInterpolation
  colorInterpolationFilters colorRendering colorScheme columnCount columnFill columnGap columnHeight columnRule
  columnRuleBreak columnRuleColor columnRuleInset columnRuleInsetCap columnRuleInsetCapEnd columnRuleInsetCapStart
  columnRuleInsetEnd columnRuleInsetJunction columnRuleInsetJunctionEnd columnRuleInsetJunctionStart
  columnRuleInsetStart columnRuleStyle columnRuleVisibilityItems columnRuleWidth columnSpan columnWidth columnWrap
  columns contain containIntrinsicBlockSize containIntrinsicHeight containIntrinsicInlineSize containIntrinsicSize
  containIntrinsicWidth container containerName containerType content contentVisibility cornerBlockEndShape
  cornerBlockStartShape cornerBottomLeftShape cornerBottomRightShape cornerBottomShape cornerEndEndShape
  cornerEndStartShape cornerInlineEndShape cornerInlineStartShape cornerLeftShape cornerRightShape cornerShape
  cornerStartEndShape cornerStartStartShape cornerTopLeftShape cornerTopRightShape cornerTopShape counterIncrement
  counterReset counterSet cursor cx cy d direction display dominantBaseline dynamicRangeLimit emptyCells fieldSizing
  fill fillOpacity fillRule filter flex flexBasis flexDirection flexFlow flexGrow flexShrink flexWrap float
  floodColor floodOpacity font fontFamily fontFeatureSettings fontKerning fontLanguageOverride fontOpticalSizing
  fontPalette fontSize fontSizeAdjust fontSmooth fontStretch fontStyle fontSynthesis fontSynthesisPosition
  fontSynthesisSmallCaps fontSynthesisStyle fontSynthesisWeight fontVariant fontVariantAlternates fontVariantCaps
  fontVariantEastAsian fontVariantEmoji fontVariantLigatures fontVariantNumeric fontVariantPosition
  fontVariationSettings fontWeight fontWidth forcedColorAdjust gap glyphOrientationVertical grid gridArea
  gridAutoColumns gridAutoFlow gridAutoRows gridColumn gridColumnEnd gridColumnGap gridColumnStart gridGap gridRow
  gridRowEnd gridRowGap gridRowStart gridTemplate gridTemplateAreas gridTemplateColumns gridTemplateRows
  hangingPunctuation height hyphenateCharacter hyphenateLimitChars hyphens imageOrientation imageRendering
  imageResolution imeMode initialLetter initialLetterAlign inlineSize inset insetArea insetBlock insetBlockEnd
  insetBlockStart insetInline insetInlineEnd insetInlineStart interactivity interestDelay interestDelayEnd
  interestDelayStart interpolateSize isolation justifyContent justifyItems justifySelf justifyTracks left
  letterSpacing lightingColor lineBreak lineClamp lineHeight lineHeightStep linkParameters listStyle listStyleImage
  listStylePosition listStyleType margin marginBlock marginBlockEnd marginBlockStart marginBottom marginInline
  marginInlineEnd marginInlineStart marginLeft marginRight marginTop marginTrim marker markerEnd markerMid
  markerStart mask maskBorder maskBorderMode maskBorderOutset maskBorderRepeat maskBorderSlice maskBorderSource
  maskBorderWidth maskClip maskComposite maskImage maskMode maskOrigin maskPosition maskRepeat maskSize maskType
  masonryAutoFlow mathDepth mathShift mathStyle maxBlockSize maxHeight maxInlineSize maxLines maxWidth minBlockSize
  minHeight minInlineSize minWidth mixBlendMode motion motionDistance motionPath motionRotation msImeMode objectFit
  objectPosition objectViewBox offset offsetAnchor offsetBlock offsetBlockEnd offsetBlockStart offsetDistance
  offsetInline offsetInlineEnd offsetInlineStart offsetPath offsetPosition offsetRotate offsetRotation opacity order
  orphans outline outlineColor outlineOffset outlineStyle outlineWidth overflow overflowAnchor overflowBlock
  overflowClipBox overflowClipMargin overflowInline overflowWrap overflowX overflowY overlay overscrollBehavior
  overscrollBehaviorBlock overscrollBehaviorInline overscrollBehaviorX overscrollBehaviorY padding paddingBlock
  paddingBlockEnd paddingBlockStart paddingBottom paddingInline paddingInlineEnd paddingInlineStart paddingLeft
  paddingRight paddingTop page pageBreakAfter pageBreakBefore pageBreakInside pageOrientation paintOrder pathLength
  perspective perspectiveOrigin placeContent placeItems placeSelf pointerEvents position positionAnchor positionArea
  positionTry positionTryFallbacks positionTryOptions positionTryOrder positionVisibility printColorAdjust quotes r
  readingFlow readingOrder resize right rotate rowGap rowRule rowRuleBreak rowRuleColor rowRuleInset rowRuleInsetCap
  rowRuleInsetCapEnd rowRuleInsetCapStart rowRuleInsetEnd rowRuleInsetJunction rowRuleInsetJunctionEnd
  rowRuleInsetJunctionStart rowRuleInsetStart rowRuleStyle rowRuleVisibilityItems rowRuleWidth rubyAlign rubyMerge
  rubyOverhang rubyPosition rule ruleBreak ruleColor ruleInset ruleInsetCap ruleInsetEnd ruleInsetJunction
  ruleInsetStart ruleOverlap ruleStyle ruleVisibilityItems ruleWidth rx ry scale scrollAxisLock scrollBehavior
  scrollInitialTarget scrollMargin scrollMarginBlock scrollMarginBlockEnd scrollMarginBlockStart scrollMarginBottom
  scrollMarginInline scrollMarginInlineEnd scrollMarginInlineStart scrollMarginLeft scrollMarginRight
  scrollMarginTop scrollMarkerGroup scrollPadding scrollPaddingBlock scrollPaddingBlockEnd scrollPaddingBlockStart
  scrollPaddingBottom scrollPaddingInline scrollPaddingInlineEnd scrollPaddingInlineStart scrollPaddingLeft
  scrollPaddingRight scrollPaddingTop scrollSnapAlign scrollSnapCoordinate scrollSnapDestination scrollSnapMargin
  scrollSnapMarginBottom scrollSnapMarginLeft scrollSnapMarginRight scrollSnapMarginTop scrollSnapPointsX
  scrollSnapPointsY scrollSnapStop scrollSnapType scrollSnapTypeX scrollSnapTypeY scrollTargetGroup scrollTimeline
  scrollTimelineAxis scrollTimelineName scrollbarColor scrollbarGutter scrollbarWidth shapeImageThreshold
  shapeMargin shapeOutside shapeRendering speak stopColor stopOpacity stroke strokeColor strokeDasharray
  strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth tabSize tableLayout
  textAlign textAlignLast textAnchor textAutospace textBox textBoxEdge textBoxTrim textCombineUpright textDecoration
  textDecorationColor textDecorationInset textDecorationLine textDecorationSkip textDecorationSkipInk
  textDecorationStyle textDecorationThickness textEmphasis textEmphasisColor textEmphasisPosition textEmphasisStyle
  textFit textIndent textJustify textOrientation textOverflow textRendering textShadow textSizeAdjust
  textSpacingTrim textTransform textUnderlineOffset textUnderlinePosition textWrap textWrapMode textWrapStyle
  timelineScope timelineTrigger timelineTriggerActivationRange timelineTriggerActivationRangeEnd
  timelineTriggerActivationRangeStart timelineTriggerActiveRange timelineTriggerActiveRangeEnd
  timelineTriggerActiveRangeStart timelineTriggerName timelineTriggerSource top touchAction transform transformBox
  transformOrigin transformStyle transition transitionBehavior transitionDelay transitionDuration transitionProperty
  transitionTimingFunction translate triggerScope unicodeBidi userSelect vectorEffect verticalAlign viewTimeline
  viewTimelineAxis viewTimelineInset viewTimelineName viewTransitionClass viewTransitionGroup viewTransitionName
  viewTransitionScope visibility whiteSpace whiteSpaceCollapse widows width willChange windowDrag wordBreak
  wordSpacing wordWrap writingMode x y zIndex zoom
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
