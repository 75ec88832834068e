<?xml version="1.0"?>
<!-- A video sitemap to Media RSS; dates stay as they are. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
    xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/"
    exclude-result-prefixes="s video">
  <xsl:output method="xml" encoding="UTF-8"/>
  <xsl:template match="/s:urlset">
    <rss version="2.0"><channel><title>Videos</title><link>https://www.example.com/</link><description>Videos</description>
      <xsl:apply-templates select="s:url/video:video"/></channel></rss>
  </xsl:template>
  <xsl:template match="video:video">
    <item>
      <title><xsl:value-of select="video:title"/></title>
      <link><xsl:value-of select="../s:loc"/></link>
      <description><xsl:value-of select="video:description"/></description>
      <pubDate><xsl:value-of select="video:publication_date"/></pubDate>
      <dcterms:valid>end=<xsl:value-of select="video:expiration_date"/></dcterms:valid>
      <media:content medium="video" url="{video:content_loc}" duration="{video:duration}"/>
      <media:keywords><xsl:for-each select="video:tag"><xsl:if test="position() &gt; 1">, </xsl:if><xsl:value-of select="."/></xsl:for-each></media:keywords>
      <media:thumbnail url="{video:thumbnail_loc}"/>
      <media:player url="{video:player_loc}"/>
      <media:rating><xsl:choose><xsl:when test="video:family_friendly = 'no'">adult</xsl:when><xsl:otherwise>nonadult</xsl:otherwise></xsl:choose></media:rating>
      <media:restriction type="country" relationship="{video:restriction/@relationship}"><xsl:value-of select="translate(video:restriction, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"/></media:restriction>
      <media:price price="{video:price}" currency="{video:price/@currency}"/>
      <media:credit role="uploader"><xsl:value-of select="video:uploader"/></media:credit>
      <media:community><media:starRating average="{video:rating}"/><media:statistics views="{video:view_count}"/></media:community>
    </item>
  </xsl:template>
</xsl:stylesheet>
